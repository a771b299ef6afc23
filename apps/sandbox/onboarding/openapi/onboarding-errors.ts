import { described, listOf, TEXT } from '../../api/answers.js';
import type { Schema } from '../../api/openapi/route.js';
import { exactly } from '../wire/schema.js';

const fault = exactly({ field: TEXT, message: TEXT });
const plain = { message: TEXT, type: described('The kind of error.', TEXT) };

/** docs/provider/onboarding-completion.md#errors: `errors` is there on a 422 only. */
export const ONBOARDING_ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  PartnerError: exactly(plain),
  PartnerValidationError: exactly({ ...plain, errors: { ...listOf(fault), minItems: 1 } }),
};

const DESCRIPTIONS = {
  401: 'The partner key is missing or not known.',
  403: 'It is not allowed with this key, or at this time.',
  404: 'The partner has none with this id in this mode.',
  405: 'The address does not take this method, but those of `Allow`.',
  409: 'What is asked for stands in conflict with the present state.',
  413: 'The body is too large.',
  415: 'The body is of another media type.',
  422: 'The query or the body is not valid; `errors` names every fault.',
  500: 'A fault of the service, of which nothing more is told.',
} as const;

export type OnboardingErrorStatus = keyof typeof DESCRIPTIONS;

/** `components.responses`, by their names. */
export const ONBOARDING_ERROR_RESPONSES = Object.fromEntries(
  Object.entries(DESCRIPTIONS).map(([status, description]) => {
    const name = status === '422' ? 'PartnerValidationError' : 'PartnerError';
    const schema = { $ref: `#/components/schemas/${name}` };
    return [`Error${status}`, { description, content: { 'application/json': { schema } } }];
  }),
);
