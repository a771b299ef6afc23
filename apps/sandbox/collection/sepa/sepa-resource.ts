import { shape, TEXT_OR_NULL } from '../../api/answers.js';
import { answered, asked, CREATED, DELETED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import { OPTIONAL_DATE, optionalReference, optionalText, text, valueOf } from '../../api/values.js';
import { fixed } from '../../storage/table.js';

const BIC = shape<string | null>({
  type: ['string', 'null'],
  pattern: '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$',
});

/** The IBAN is never stored. */
export const SEPA = resource(
  {
    prefix: 'sepa',
    title: 'Sepa',
    about: 'A bank account to debit, without its IBAN.',
    table: 'sepa',
    key: 'sa',
    numbers: ['iban'],
    removed: 'object',
  },
  {
    created: CREATED,
    deleted: DELETED,
    last4: answered(
      'The last four characters of the IBAN.',
      shape<string>({ type: 'string', pattern: '^[A-Z0-9]{4}$' }),
    ),
    name: field('The account holder’s name.', text(3, 64), { required: true }),
    bic: field('The bank’s BIC.', valueOf(TEXT_OR_NULL, BIC)),
    customer: field('The customer that owns the account.', optionalReference('cust'), {
      column: 'customer_id',
      filter: true,
    }),
    date_mandate: field(
      'The mandate’s signature date given by the merchant, YYYY-MM-DD.',
      OPTIONAL_DATE,
    ),
    mandate: field(
      'The mandate reference given by the merchant, which is not the `mndt_` id.',
      optionalText(1, 35),
    ),
    // The maximum length is that of the longest IBAN, 34 characters, plus the spaces between groups
    // of four.
    iban: asked('The account’s IBAN. Not stored.', text(15, 42).in, {
      only: 'create',
      required: true,
    }),
    /** A keyed hash of the IBAN. */
    fingerprint: fixed<string>(),
    /**
     * The test IBAN's scenario, which defines the result of its debits; null for any other IBAN.
     */
    scenario: fixed<string | null>(),
    /** The country of the IBAN, ISO 3166 alpha-2. */
    country: fixed<string>(),
  },
);

export type SepaRow = StoredRow<typeof SEPA>;
/** The body of `POST /v2/sepa`, and a bank account in the body of `POST /v2/payments`. */
export type SepaCreate = CreateBody<typeof SEPA>;
/** The changeable fields of a bank account: all except its IBAN. Null is the same as not given. */
export type SepaPatch = PatchBody<typeof SEPA>;
