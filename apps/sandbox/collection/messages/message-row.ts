import type { Instant } from '#kernel';
import { fixed, mutable, OWNED, partOf, type StoredRow, table } from '../../storage/table.js';

/** A text message to a payer, which leaves the sandbox for its inbox only. */
export const MESSAGES = table('messages', 'me', {
  ...OWNED,
  /** The telephone number. */
  recipient: fixed<string>(),
  /** Null once the code that it carried is of no use any more. */
  body: mutable<string | null>(),
  intent_id: fixed<string | null>(),
  created_at: fixed<Instant>(),
});

export type MessageRow = StoredRow<typeof MESSAGES>;

/** A message of which only that it was sent is left. */
export const ERASED_MESSAGES = partOf(MESSAGES, 'mx', 'body');
