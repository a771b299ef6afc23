import { type FieldFault, invalidFields, PartnerError } from '../../api/partner/partner-error.js';
import { DATE, shape, type ValueOf } from '../../api/answers.js';
import { exactly } from '../wire/schema.js';
import { wireCheck } from '../wire/wire-check.js';

/** The metadata of an identity card. See docs/provider/onboarding.md#documents. */
const META = exactly({
  'date-expiry': DATE,
  'date-issue': DATE,
  number: shape<string>({ type: 'string', minLength: 1, maxLength: 50, pattern: '\\S' }),
});

export type IdentityMeta = ValueOf<typeof META>;
export const identityMeta = wireCheck(META);

const below = ({ field, message }: FieldFault): FieldFault => ({
  field: field === '' ? 'meta' : `meta.${field}`,
  message,
});

const checkedMeta = (meta: unknown): IdentityMeta => {
  if (meta === undefined) throw invalidFields({ field: 'meta', message: 'is required' });
  try {
    return identityMeta.read(meta);
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    throw invalidFields(...(error.body.errors ?? []).map(below));
  }
};

/** Reads the `meta` part of an identity card; `today` is the day in Europe/Paris. Throws 422. */
export const readIdentityMeta = (meta: unknown, today: string): IdentityMeta => {
  const read = checkedMeta(meta);
  if (read['date-issue'] > today) {
    throw invalidFields({ field: 'meta.date-issue', message: 'must be in the past' });
  }
  if (read['date-expiry'] <= read['date-issue']) {
    throw invalidFields({ field: 'meta.date-expiry', message: 'must be after `date-issue`' });
  }
  return read;
};
