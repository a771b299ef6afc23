import { type FieldFault, type OnboardingRefusal, ProviderRejected } from '#psp';
import { isKnownField, ourPath } from './onboarding-details.js';

/**
 * docs/provider/onboarding-completion.md#errors: the provider's error types, mapped to our codes.
 */
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
 * The fields of errors that name no field: an error about the email
 * (docs/provider/onboarding.md#errors) can only mean the email of the contact.
 */
const FIELD_OF: Readonly<Record<string, string>> = {
  'email-unavailable': 'user.contact.email',
  'email-terminated': 'user.contact.email',
};

/**
 * Matches a field path in a message, e.g. `iban` in: registration is finalized: `iban` is part of…
 */
const NAMED = /`([a-z][\w.-]*)`/;

const faultsOf = ({ code, faults, providerMessage }: ProviderRejected): readonly FieldFault[] => {
  if (faults.length > 0) return faults;
  const field = FIELD_OF[code ?? ''] ?? NAMED.exec(providerMessage)?.[1];
  // Only the names of fields are recorded, because any other word of the message may be a person's
  // name.
  return field === undefined || !isKnownField(field) ? [] : [{ field, message: '' }];
};

/**
 * The path below the prefix. An error about a whole list, e.g. about the sum of all shares, becomes
 * an error about the item that was sent.
 */
const below = (field: string, prefix: string): string => {
  if (field.startsWith(prefix)) return field.slice(prefix.length);
  return prefix.startsWith(`${field}.`) ? '' : field;
};

/**
 * Converts a rejection to our codes and paths; any other error is returned unchanged. `prefix` is
 * the path of the object that the request was about, e.g. `owners.0.`, and is removed from the
 * paths.
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
