import type { Instant } from '#kernel';
import { fixed, mutable, type StoredRow, table } from '../../storage/table.js';

/**
 * The 4-digit code that a payer signs a mandate with.
 * docs/provider/payments-completion.md#hosted-page.
 */
export const SIGNING_CODES = table('signing_codes', 'sc', {
  id: fixed<string>(),
  mandate_id: fixed<string>(),
  /** The message that carries it. */
  message_id: fixed<string>(),
  /** A keyed hash of the code while it is open; null once it has ended, in whatever way. */
  code_hash: mutable<string | null>(),
  /**
   * One is open for a mandate at most. Spent: all its tries were wrong. Withdrawn: its mandate was
   * deleted, or what it was to sign for has changed, has ended or was paid without it.
   */
  status: mutable<'open' | 'used' | 'spent' | 'replaced' | 'withdrawn' | 'expired'>(),
  tries: mutable<number>(),
  expires_at: fixed<Instant>(),
  created_at: fixed<Instant>(),
  /** While it is open: when it expires. */
  due_at: mutable<Instant | null>(),
});

export type SigningCodeRow = StoredRow<typeof SIGNING_CODES>;
