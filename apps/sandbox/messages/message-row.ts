import type { Instant } from '#kernel';
import { table } from '../database/table.js';

/** A text message to a payer, which leaves the sandbox for its inbox only. */
export interface MessageRow {
  readonly id: string;
  readonly live: boolean;
  /** The telephone number. */
  readonly recipient: string;
  readonly body: string;
  readonly intent_id: string | null;
  readonly created_at: Instant;
}

export const MESSAGES = table<MessageRow>('messages', 'me', {
  id: 'fixed', live: 'fixed', recipient: 'fixed', body: 'fixed', intent_id: 'fixed',
  created_at: 'fixed',
});
