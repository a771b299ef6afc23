import { type FieldFault, type OnboardingRefusal, ProviderRejected } from '#psp';
import { isKnownField, ourPath } from './onboarding-details.js';

/** docs/provider/onboarding-completion.md#errors: the provider's types in our words. */
const REFUSALS: Readonly<Record<string, OnboardingRefusal>> = {
  validation: 'validation',
  'email-unavailable': 'email_unavailable',
  'email-terminated': 'email_terminated',
  'not-allowed': 'not_allowed',
  conflict: 'conflict',
  'too-large': 'too_large',
  'unsupported-media-type': 'unsupported_media_type',
  'not-found': 'not_found',
};

/**
 * Errors of an email name no field (docs/provider/onboarding.md#errors), and there is only one
 * email.
 */
const FIELD_OF: Readonly<Record<string, string>> = {
  'email-unavailable': 'user.contact.email',
  'email-terminated': 'user.contact.email',
};

/** A path in the provider's words, e.g. `iban` in: registration is finalized: `iban` is part of… */
const NAMED = /`([a-z][\w.-]*)`/;

const faultsOf = ({ code, faults, providerMessage }: ProviderRejected): readonly FieldFault[] => {
  if (faults.length > 0) return faults;
  const field = FIELD_OF[code ?? ''] ?? NAMED.exec(providerMessage)?.[1];
  // Any other word of its text may be a person's name, and fields are recorded.
  return field === undefined || !isKnownField(field) ? [] : [{ field, message: '' }];
};

/** A fault of a list of one, e.g. of the sum of its shares, is a fault of its item. */
const below = (field: string, prefix: string): string => {
  if (field.startsWith(prefix)) return field.slice(prefix.length);
  return prefix.startsWith(`${field}.`) ? '' : field;
};

/**
 * A refusal in our words; other errors stay unchanged. `prefix`: in front of the path of the
 * request's object, e.g. `owners.0.`, which is removed.
 */
export const refusedInOurWords = (error: unknown, prefix = ''): unknown => {
  if (!(error instanceof ProviderRejected)) return error;
  const { trace, status, code, providerMessage } = error;
  const faults = faultsOf(error).map(({ field, message }) => {
    return { field: below(ourPath(field), prefix), message };
  });
  const ours = code === null ? null : (REFUSALS[code] ?? code);
  return new ProviderRejected(trace, status, ours, providerMessage, faults);
};
