import type { Instant } from '#kernel';
import { ADDRESS_OR_NULL, idOrNull, MOMENT_OR_NULL, shape } from '../../api/answers.js';
import { epochSeconds } from '../../api/epoch-seconds.js';
import { answered, computed, CREATED, field } from '../../api/fields.js';
import { type CreateBody, type PatchBody, resource, type StoredRow } from '../../api/resource.js';
import { optionalText, reference, valueOf } from '../../api/values.js';
import { fixed, mutable } from '../../storage/table.js';
import type { MandateStatus } from './mandate-states.js';
import type { SignedForm } from './signed-form.js';

/** Epoch seconds, or a date-time with a time zone. */
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
  /**
   * `page`: created on the payment page, where the payer signs it with a code. `import`: imported
   * by the merchant.
   */
  readonly origin: 'page' | 'import';
}

/**
 * Mandates. A mandate is signed, and its document uploaded, at URLs outside `/v2`, because a token
 * in the URL authorizes these requests instead of an API key. On a payment page, a payer can sign
 * only the mandates that this payment page has created.
 */
export const MANDATES = resource(
  {
    prefix: 'mndt',
    title: 'Mandate',
    about: "The payer's permission to debit a bank account.",
    table: 'mandates',
    key: 'ma',
    create: { conflict: '`rum` is used by another mandate.' },
    patch: {
      conflict: 'The mandate is already signed, or the payer must sign it on the payment page.',
    },
    removed: 'object',
  },
  {
    created_at: CREATED,
    customer: answered('The payer.', idOrNull('cust'), { column: 'customer_id', filter: true }),
    sepa: field('The bank account to debit.', reference('sepa'), {
      column: 'sepa_id',
      only: 'create',
      required: true,
      filter: true,
    }),
    rum: field(
      'The unique mandate reference; null until the mandate is signed, unless the merchant imported it with a reference.',
      optionalText(1, 24),
    ),
    sign_url: computed(
      'The page on which the payer signs; null when the mandate is already signed or was imported.',
      ADDRESS_OR_NULL,
      (row: Origin & { status: MandateStatus; sign_token: string }, baseUrl: string) =>
        row.status === 'unsigned' && row.origin === 'page'
          ? `${baseUrl}/mandates/${row.sign_token}`
          : null,
    ),
    upload_url: computed(
      'The URL to upload the document of an imported mandate; null for a mandate created on the payment page.',
      ADDRESS_OR_NULL,
      (row: Origin & { upload_token: string }, baseUrl: string) =>
        row.origin === 'import' ? `${baseUrl}/mandate-documents/${row.upload_token}` : null,
    ),
    url: computed(
      'The URL of the signed document; null until the mandate is signed.',
      ADDRESS_OR_NULL,
      (row: { id: string; signed_at: Instant | null }, baseUrl: string) =>
        row.signed_at === null ? null : `${baseUrl}/v2/mandates/${row.id}.pdf`,
    ),
    signed_at: field('The signature time, in epoch seconds.', valueOf(MOMENT_OR_NULL, TIME), {
      from: secondsOrNull,
      asked: 'Also accepted as a date-time with its zone.',
    }),
    deleted_at: answered('The deletion time, in epoch seconds.', MOMENT_OR_NULL, {
      mutable: true,
      from: secondsOrNull,
    }),
    status: mutable<MandateStatus>(),
    origin: fixed<Origin['origin']>(),
    /** The payment intent for which the payment page created the mandate. */
    intent_id: fixed<string | null>(),
    /** The secret token in the URLs at which the mandate is signed and its document downloaded. */
    sign_token: fixed<string>(),
    upload_token: fixed<string>(),
    /** The last digits of the telephone number used to sign, printed in the document. */
    phone_last4: mutable<string | null>(),
    /**
     * What the document of a signed mandate says; null until it is signed, and for a mandate that
     * is signed by the upload of its document.
     */
    signed_form: mutable<SignedForm | null>(),
  },
);

export type MandateRow = StoredRow<typeof MANDATES>;
export type MandateCreate = CreateBody<typeof MANDATES>;
/**
 * The fields of an unsigned imported mandate that a PATCH may change. Null is the same as omitting
 * the field.
 */
export type MandatePatch = PatchBody<typeof MANDATES>;
