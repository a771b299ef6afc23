import { invalid } from '../../api/api-error.js';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import { OPTIONAL_DATE, optionalReference, optionalText, text } from '../../api/schemas.js';
import { ibanIn } from './iban.js';

/** What may be changed of an account: all but its IBAN. Null is the same as not given. */
export interface SepaPatch {
  readonly name?: string;
  readonly bic?: string | null;
  readonly customer?: string | null;
  readonly date_mandate?: string | null;
  readonly mandate?: string | null;
}

/** The body of `POST /v2/sepa`, and an account given inline. */
export interface SepaCreate extends SepaPatch {
  readonly name: string;
  readonly iban: string;
}

const BIC = '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$';

const PATCH_PROPERTIES = {
  name: text(3, 64),
  bic: { type: ['string', 'null'], pattern: BIC },
  customer: optionalReference('cust'),
  date_mandate: OPTIONAL_DATE,
  mandate: optionalText(1, 35),
} as const;

/** For bodies that hold an account: name `iban` (or its path) among their `numbers`. */
export const SEPA_CREATE = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'iban'],
  // 34 characters at most, and the spaces of groups of four.
  properties: { ...PATCH_PROPERTIES, iban: text(15, 42) },
} as const;

export const sepaCreate = checkedBody<SepaCreate>(SEPA_CREATE, ['iban']);

export const sepaPatch = checkedBody<SepaPatch>({ properties: PATCH_PROPERTIES });

export const sepaList = listQuery<{ readonly customer?: string }>({
  customer: { type: 'string' },
});

/** The IBAN in its electronic form. `at` is its place in the body. Throws `ApiError` 422. */
export const readIban = (given: string, at: readonly string[] = ['iban']): string => {
  const iban = ibanIn(given);
  if (iban !== null) return iban;
  const msg = 'Input should be an IBAN with the length and the checksum of its country';
  throw invalid({ loc: ['body', ...at], msg, type: 'value_error' });
};
