import type { Instant } from '#kernel';
import { fixed, mutable, type StoredRow, table } from '../../storage/table.js';

/**
 * The 4-digit code with which a payer signs a mandate. See
 * docs/provider/payments-completion.md#hosted-page.
 */
export const SIGNING_CODES = table('signing_codes', 'sc', {
  id: fixed<string>(),
  mandate_id: fixed<string>(),
  /** The text message that contains the code. */
  message_id: fixed<string>(),
  /** A keyed hash of the open code; null once the code is no longer open. */
  code_hash: mutable<string | null>(),
  /**
   * The status of a code; a mandate has at most one open code. `spent`: all attempts were wrong.
   * `withdrawn`: the mandate was deleted, or the payment has changed, has ended or was paid without
   * this mandate.
   */
  status: mutable<'open' | 'used' | 'spent' | 'replaced' | 'withdrawn' | 'expired'>(),
  tries: mutable<number>(),
  expires_at: fixed<Instant>(),
  created_at: fixed<Instant>(),
  /** The expiry time of an open code. */
  due_at: mutable<Instant | null>(),
});

export type SigningCodeRow = StoredRow<typeof SIGNING_CODES>;
