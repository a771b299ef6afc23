import type { OutgoingMessage } from '#kafka';

/** The topics. A message may be in a topic more than once. */
export class SimulatedBroker {
  /** `onAppended` is called with each message that is added to a topic. */
  constructor(private readonly onAppended: (message: OutgoingMessage) => void) {}

  append(message: OutgoingMessage): void {
    this.onAppended(message);
  }
}
