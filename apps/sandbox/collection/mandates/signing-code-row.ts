import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';

/** The 4-digit code that a payer signs a mandate with. Completion, "Hosted page". */
export interface SigningCodeRow {
  readonly id: string;
  readonly mandate_id: string;
  /** The message that carries it. */
  readonly message_id: string;
  /** A keyed hash of the code while it is open; null once it has ended, in whatever way. */
  readonly code_hash: string | null;
  /**
   * One is open for a mandate at most. Spent: all its tries were wrong. Withdrawn: its mandate was
   * deleted, or what it was to sign for has changed, has ended or was paid without it.
   */
  readonly status: 'open' | 'used' | 'spent' | 'replaced' | 'withdrawn' | 'expired';
  readonly tries: number;
  readonly expires_at: Instant;
  readonly created_at: Instant;
  /** While it is open: when it expires. */
  readonly due_at: Instant | null;
}

export const SIGNING_CODES = table<SigningCodeRow>('signing_codes', 'sc', {
  id: 'fixed', mandate_id: 'fixed', message_id: 'fixed', code_hash: 'mutable',
  status: 'mutable', tries: 'mutable', expires_at: 'fixed', created_at: 'fixed',
  due_at: 'mutable',
});
