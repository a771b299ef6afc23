import type { Instant } from '#kernel';
import { fixed, mutable, OWNED, partOf, type StoredRow, table } from '../../storage/table.js';

/** A text message to a payer, shown only in the sandbox's inbox. */
export const MESSAGES = table('messages', 'me', {
  ...OWNED,
  /** The telephone number. */
  recipient: fixed<string>(),
  /** The message text; null as soon as the code in the message is no longer usable. */
  body: mutable<string | null>(),
  intent_id: fixed<string | null>(),
  created_at: fixed<Instant>(),
});

export type MessageRow = StoredRow<typeof MESSAGES>;

/** Updates only the text of a message, to erase the text. */
export const ERASED_MESSAGES = partOf(MESSAGES, 'mx', 'body');
