import type { OutgoingMessage } from '#kafka';

/** The topics with their messages, some of which may be repeated. */
export class SimulatedBroker {
  /** `onAppended` is called with each message added to the topics. */
  constructor(private readonly onAppended: (message: OutgoingMessage) => void) {}

  append(message: OutgoingMessage): void {
    this.onAppended(message);
  }
}
