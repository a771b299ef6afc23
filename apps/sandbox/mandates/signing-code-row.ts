import type { Instant } from '#kernel';
import { table } from '../database/table.js';

/** The 4-digit code that a payer signs a mandate with. Completion, "Hosted page". */
export interface SigningCodeRow {
  readonly id: string;
  readonly mandate_id: string;
  /** The message that carries it. */
  readonly message_id: string;
  readonly code: string;
  /** One is open for a mandate at most. Spent: all its tries were wrong. */
  readonly status: 'open' | 'used' | 'spent' | 'replaced';
  readonly tries: number;
  readonly expires_at: Instant;
  readonly created_at: Instant;
}

export const SIGNING_CODES = table<SigningCodeRow>('signing_codes', 'sc', {
  id: 'fixed', mandate_id: 'fixed', message_id: 'fixed', code: 'fixed', status: 'mutable',
  tries: 'mutable', expires_at: 'fixed', created_at: 'fixed',
});
