import { Injectable } from '@nestjs/common';
import { BrokersAway, Messaging } from '#messaging';
import { IdleChecks, type IdleLook, Problem } from '#platform';

/** The followed clock waits until all that is in the log has been told and dealt with. */
@Injectable()
export class MessagingIdle {
  /** Where the relay stood when the consumers were last seen to have taken all. */
  private takenAt: string | null = null;

  constructor(private readonly messaging: Messaging, idle: IdleChecks) {
    idle.add({ name: 'messaging', look: () => this.look() });
  }

  /** The brokers are asked only when something was told since all had been taken. */
  private async look(): Promise<IdleLook> {
    const { relay } = this.messaging;
    const { epoch, transactionId, position } = await relay.cursor.read();
    const toldUpTo = `${epoch} ${transactionId} ${position}`;
    const isKnown = this.takenAt === toldUpTo;
    const isIdle = isKnown ? await relay.isCaughtUp() : await this.allTaken();
    if (isIdle) this.takenAt = toldUpTo;
    return { busy: isIdle ? null : 'events are not told or taken yet', mark: toldUpTo };
  }

  private async allTaken(): Promise<boolean> {
    try {
      return await this.messaging.isIdle();
    } catch (cause) {
      if (!(cause instanceof BrokersAway)) throw cause;
      const detail = 'Kafka is away: whether all that was told has been taken cannot be seen';
      throw new Problem(503, 'kafka_away', detail, { headers: { 'retry-after': '1' }, cause });
    }
  }
}
