import { type Instant, SECOND_MS } from '#kernel';
import { table } from './table.js';

export interface EventRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly type: string;
  readonly object_id: string;
  /** The JSON text that is sent, byte for byte, by every attempt. */
  readonly body: string;
  readonly created_at: Instant;
}

/** Specification, "Delivery rules": from the event to the first attempt to send it. */
export const FIRST_ATTEMPT_DELAY_MS = 15 * SECOND_MS;

export const EVENTS = table<EventRow>('events', 'ev', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', type: 'fixed', object_id: 'fixed', body: 'fixed',
  created_at: 'fixed',
});
