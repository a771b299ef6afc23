import type { OutgoingMessage } from './cloud-event.js';

/** Where the relay publishes. Calls never overlap. */
export interface Publisher {
  /**
   * Resolves when every message of the batch is durable, in the order given for each key. When it
   * rejects, any part of the batch may have been published, or may still be: the caller publishes
   * the identical batch again before anything newer.
   */
  publish(batch: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}
