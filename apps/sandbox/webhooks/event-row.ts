import type { Instant } from '#kernel';
import { table } from '../database/table.js';

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

export const EVENTS = table<EventRow>('events', 'ev', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', type: 'fixed', object_id: 'fixed', body: 'fixed',
  created_at: 'fixed',
});
