import type { FieldFault } from '#psp';
import { scrubText } from './redact.js';
import { fieldsOf, itemsOf, MalformedWire, text, type WireFields } from './wire-decode.js';

export interface ProviderErrorBody {
  readonly code: string | null;
  readonly message: string;
  readonly faults: readonly FieldFault[];
}

const MAX_MESSAGE_LENGTH = 300;
const MAX_DETAILS = 5;
/**
 * Matches characters that PostgreSQL cannot store: NUL, and half of a surrogate pair, which may
 * remain when a text is cut.
 */
const UNSTORABLE = /[\p{Surrogate}\0]/gu;

const storable = (text: string): string =>
  text.slice(0, MAX_MESSAGE_LENGTH).replace(UNSTORABLE, '\u{FFFD}');

/**
 * A text field of the error body; null if it is missing. Characters that cannot be stored are
 * removed: the response still counts as a rejection.
 */
const wordsOrNull = (fields: WireFields, name: string): string | null => {
  const value = fields[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string') throw new MalformedWire(`${name} must be a text`);
  return value;
};

const codeOf = (fields: WireFields): string | null => {
  const code = wordsOrNull(fields, 'type');
  return code === null ? null : storable(code);
};

/**
 * Removes possible personal data from a message, because the message may quote the rejected value
 * and is stored in jobs, logs and events.
 */
const withoutPersonal = (message: string): string => storable(scrubText(message));

const refusal = (code: string | null, message: string): ProviderErrorBody => ({
  code,
  message: withoutPersonal(message),
  faults: [],
});

/** Formats `{loc: ["body", "amount"], msg, type}` as `body.amount: msg`. */
const detailText = (fields: WireFields): string => {
  const loc = Array.isArray(fields['loc']) ? fields['loc'].map(String).join('.') : 'request';
  return `${loc}: ${wordsOrNull(fields, 'msg') ?? 'refused'}`;
};

/**
 * Reads the provider's error formats (docs/provider/payments-completion.md#conventions): `{error:
 * text}`, `{error: {type, message}}` and, for 422, `{detail: [{loc, msg, type}]}`. Throws
 * `MalformedWire` for anything else: the response then does not come from the provider.
 */
export const readErrorBody = (value: unknown): ProviderErrorBody => {
  const { error, detail } = fieldsOf(value, 'error body');
  if (typeof error === 'string') return refusal(null, error);
  if (typeof detail === 'string') return refusal(null, detail);
  if (Array.isArray(detail)) {
    const details = detail.slice(0, MAX_DETAILS).map((one) => fieldsOf(one, 'detail'));
    const code = details[0] === undefined ? null : codeOf(details[0]);
    return refusal(code, details.map(detailText).join('; '));
  }
  if (error === undefined) throw new MalformedWire('error is missing');
  const fields = fieldsOf(error, 'error');
  return refusal(codeOf(fields), wordsOrNull(fields, 'message') ?? '');
};

const MAX_FAULTS = 50;

const faultOf = (value: unknown): FieldFault => {
  const fields = fieldsOf(value, 'fault');
  const field = storable(wordsOrNull(fields, 'field') ?? '');
  return { field, message: withoutPersonal(wordsOrNull(fields, 'message') ?? '') };
};

/**
 * Reads the onboarding API's only error format (docs/provider/onboarding-completion.md#errors):
 * `{message, type}`, and for a 422 also `errors: [{field, message}]`. Throws `MalformedWire` for
 * anything else.
 */
export const readOnboardingErrorBody = (value: unknown): ProviderErrorBody => {
  const fields = fieldsOf(value, 'error body');
  const code = storable(text(fields, 'type'));
  const faults = fields['errors'] === undefined ? [] : itemsOf(fields['errors'], 'errors');
  const message = withoutPersonal(wordsOrNull(fields, 'message') ?? '');
  return { code, message, faults: faults.slice(0, MAX_FAULTS).map(faultOf) };
};
