import { type Instant, SECOND_MS } from '#kernel';
import { fixed, OWNED, type StoredRow, table } from './table.js';

export const EVENTS = table(
  'events',
  'ev',
  {
    ...OWNED,
    type: fixed<string>(),
    object_id: fixed<string>(),
    /** The JSON text that every webhook attempt sends, byte for byte. */
    body: fixed<string>(),
    created_at: fixed<Instant>(),
  },
  [],
);

export type EventRow = StoredRow<typeof EVENTS>;

/** The time from the event to the first delivery attempt. See docs/provider/payments.md#events. */
export const FIRST_ATTEMPT_DELAY_MS = 15 * SECOND_MS;
