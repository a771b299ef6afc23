import type { OutgoingMessage } from './cloud-event.js';

/**
 * The destination to which the relay publishes. The relay waits for each call to end before it
 * makes the next call.
 */
export interface Publisher {
  /**
   * Resolves when every message of the batch is durable; the messages of each key are in the given
   * order. After a rejection a part of the batch may have been published, or may still be
   * published: the caller must publish the same batch again before newer messages.
   */
  publish(batch: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}
