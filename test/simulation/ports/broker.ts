import type { OutgoingMessage } from '#kafka';

/** The topics and their messages, which may contain repeated messages. */
export class SimulatedBroker {
  /** `onAppended` is called with each message added to the topics. */
  constructor(private readonly onAppended: (message: OutgoingMessage) => void) {}

  append(message: OutgoingMessage): void {
    this.onAppended(message);
  }
}
