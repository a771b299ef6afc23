import type { OutgoingMessage } from '#kafka';

/** Topics: what was published, as a subscriber gets it. They may repeat. */
export class SimulatedBroker {
  /** `onAppended`: called with each message that the topics hold. */
  constructor(private readonly onAppended: (message: OutgoingMessage) => void) {}

  append(message: OutgoingMessage): void {
    this.onAppended(message);
  }
}
