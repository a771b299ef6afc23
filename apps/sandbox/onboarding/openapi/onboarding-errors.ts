import { described, listOf, TEXT } from '../../api/answers.js';
import type { Schema } from '../../api/openapi/route.js';
import { exactly } from '../wire/schema.js';

const fault = exactly({ field: TEXT, message: TEXT });
const plain = { message: TEXT, type: described('The kind of error.', TEXT) };

/**
 * The schemas of error responses; only a 422 has `errors`. See
 * docs/provider/onboarding-completion.md#errors.
 */
export const ONBOARDING_ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  PartnerError: exactly(plain),
  PartnerValidationError: exactly({ ...plain, errors: { ...listOf(fault), minItems: 1 } }),
};

const DESCRIPTIONS = {
  401: 'The partner key is missing or unknown.',
  403: 'The request is not allowed with this key or in this status.',
  404: 'No object of the partner has this id in the key’s mode.',
  405: 'The method is not allowed; `Allow` lists the allowed methods.',
  409: 'The request conflicts with the current state.',
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
  422: 'The query or the body is not valid; `errors` lists every error.',
  500: 'An internal error of the service, without details.',
} as const;

export type OnboardingErrorStatus = keyof typeof DESCRIPTIONS;

/** `components.responses`, by name. */
export const ONBOARDING_ERROR_RESPONSES = Object.fromEntries(
  Object.entries(DESCRIPTIONS).map(([status, description]) => {
    const name = status === '422' ? 'PartnerValidationError' : 'PartnerError';
    const schema = { $ref: `#/components/schemas/${name}` };
    return [`Error${status}`, { description, content: { 'application/json': { schema } } }];
  }),
);
