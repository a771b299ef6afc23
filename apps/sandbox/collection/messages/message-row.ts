import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';

/** A text message to a payer, which leaves the sandbox for its inbox only. */
export interface MessageRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  /** The telephone number. */
  readonly recipient: string;
  /** Null once the code that it carried is of no use any more. */
  readonly body: string | null;
  readonly intent_id: string | null;
  readonly created_at: Instant;
}

export const MESSAGES = table<MessageRow>('messages', 'me', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', recipient: 'fixed', body: 'mutable', intent_id: 'fixed',
  created_at: 'fixed',
});

/** A message of which only that it was sent is left. */
export const ERASED_MESSAGES = table<{ readonly id: string; readonly body: null }>('messages', 'mx', {
  id: 'fixed', body: 'mutable',
});
