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
 * Errors of an email name no field (docs/provider/onboarding.md#errors), and there is only one
 * email.
 */
const FIELD_OF: Readonly<Record<string, string>> = {
  'email-unavailable': 'user.contact.email',
  'email-terminated': 'user.contact.email',
};

/**
 * Matches a path of the provider in a message, e.g. `iban` in: registration is finalized: `iban` is
 * part of…
 */
const NAMED = /`([a-z][\w.-]*)`/;

const faultsOf = ({ code, faults, providerMessage }: ProviderRejected): readonly FieldFault[] => {
  if (faults.length > 0) return faults;
  const field = FIELD_OF[code ?? ''] ?? NAMED.exec(providerMessage)?.[1];
  // The names of fields are recorded, but any other word of the message may be a person's name.
  return field === undefined || !isKnownField(field) ? [] : [{ field, message: '' }];
};

/**
 * The path below the prefix. A fault of a list with one item, e.g. of the sum of its shares, is a
 * fault of the item.
 */
const below = (field: string, prefix: string): string => {
  if (field.startsWith(prefix)) return field.slice(prefix.length);
  return prefix.startsWith(`${field}.`) ? '' : field;
};

/**
 * A rejection with our codes and paths; other errors stay unchanged. `prefix` precedes the path of
 * the request's object, e.g. `owners.0.`, and is removed.
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
