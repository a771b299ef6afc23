import type { OutgoingMessage } from './cloud-event.js';

/** The destination of the relay. The relay awaits each call before the next one. */
export interface Publisher {
  /**
   * Resolves when every message of the batch is durable, in the given order for each key. If it
   * rejects, any part of the batch may have been published, or may still be: the caller then
   * publishes the identical batch again before anything newer.
   */
  publish(batch: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}
