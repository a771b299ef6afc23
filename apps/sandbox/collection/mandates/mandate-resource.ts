import type { Instant } from '#kernel';
import { ADDRESS_OR_NULL, idOrNull, MOMENT_OR_NULL, shape } from '../../api/answers.js';
import { epochSeconds } from '../../api/epoch-seconds.js';
import { answered, computed, CREATED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import { optionalText, reference, valueOf } from '../../api/values.js';
import { fixed, mutable } from '../../storage/table.js';
import type { MandateStatus } from './mandate-states.js';

/** Epoch seconds, or a date-time with its zone. */
const TIME = shape<number | string | null>({
  anyOf: [
    { type: 'integer', minimum: 0, maximum: 253_402_300_799 },
    { type: 'string', format: 'date-time' },
    { type: 'null' },
  ],
});

const secondsOrNull = (at: Instant | null): number | null =>
  at === null ? null : epochSeconds(at);

interface Origin {
  /** `page`: the payer signs it with a code. `import`: the merchant brings it. */
  readonly origin: 'page' | 'import';
}

/**
 * Signing and uploading need no key but the token of their addresses, so these are not of v2. Only
 * the page's mandates are signed by their payer, on the page.
 */
export const MANDATES = resource(
  {
    prefix: 'mndt',
    title: 'Mandate',
    about: "The payer's word that an account may be debited.",
    table: 'mandates',
    key: 'ma',
    create: { conflict: '`rum` is used by another mandate.' },
    patch: { conflict: 'The mandate is signed, or its payer signs it on the page.' },
    removed: 'object',
  },
  {
    created_at: CREATED,
    customer: answered('The payer.', idOrNull('cust'), { column: 'customer_id', filter: true }),
    sepa: field('The account that may be debited.', reference('sepa'), {
      column: 'sepa_id',
      only: 'create',
      required: true,
      filter: true,
    }),
    rum: field(
      'The unique mandate reference; null until it is signed, unless it was imported with one.',
      optionalText(1, 24),
    ),
    sign_url: computed(
      'Where the payer signs it, on the page; null where there is nothing to sign.',
      ADDRESS_OR_NULL,
      (row: Origin & { status: MandateStatus; sign_token: string }, baseUrl: string) =>
        row.status === 'unsigned' && row.origin === 'page'
          ? `${baseUrl}/mandates/${row.sign_token}`
          : null,
    ),
    upload_url: computed(
      'Where an imported mandate’s document is sent; null for one made by the page.',
      ADDRESS_OR_NULL,
      (row: Origin & { upload_token: string }, baseUrl: string) =>
        row.origin === 'import' ? `${baseUrl}/mandate-documents/${row.upload_token}` : null,
    ),
    url: computed(
      'The signed document; null until it is signed.',
      ADDRESS_OR_NULL,
      (row: { id: string; signed_at: Instant | null }, baseUrl: string) =>
        row.signed_at === null ? null : `${baseUrl}/v2/mandates/${row.id}.pdf`,
    ),
    signed_at: field('When it was signed, in epoch seconds.', valueOf(MOMENT_OR_NULL, TIME), {
      from: secondsOrNull,
      asked: 'Also taken as a date-time with its zone.',
    }),
    deleted_at: answered('When it was deleted, in epoch seconds.', MOMENT_OR_NULL, {
      mutable: true,
      from: secondsOrNull,
    }),
    status: mutable<MandateStatus>(),
    origin: fixed<Origin['origin']>(),
    /** The payment intent that the page made it for. */
    intent_id: fixed<string | null>(),
    /** Secrets in the addresses that sign it and take its document: who has one may use it. */
    sign_token: fixed<string>(),
    upload_token: fixed<string>(),
    /** The last digits of the telephone that the payer signed with, for the document. */
    phone_last4: mutable<string | null>(),
  },
);

export type MandateRow = StoredRow<typeof MANDATES>;
export type MandateCreate = CreateBody<typeof MANDATES>;
/** What may be changed of an imported mandate until it is signed. Null: not given. */
export type MandatePatch = PatchBody<typeof MANDATES>;
