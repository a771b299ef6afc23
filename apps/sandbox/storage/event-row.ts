import { type Instant, SECOND_MS } from '#kernel';
import { fixed, OWNED, type StoredRow, table } from './table.js';

export const EVENTS = table('events', 'ev', {
  ...OWNED,
  type: fixed<string>(),
  object_id: fixed<string>(),
  /** The JSON text that is sent, byte for byte, by every attempt. */
  body: fixed<string>(),
  created_at: fixed<Instant>(),
});

export type EventRow = StoredRow<typeof EVENTS>;

/** docs/provider/payments.md#events: from the event to the first attempt to send it. */
export const FIRST_ATTEMPT_DELAY_MS = 15 * SECOND_MS;
