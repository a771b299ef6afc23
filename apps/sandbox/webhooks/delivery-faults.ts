import { Injectable } from '@nestjs/common';
import { type Instant, MINUTE_MS, plusMs, SECOND_MS } from '#kernel';
import type { WebhookFault } from '../faults/fault.js';
import { Faults } from '../faults/faults.js';
import { Wake } from '../storage/wake.js';
import type { ClaimedAttempt } from './delivery-store.js';
import { FaultStore } from './fault-store.js';

/** A delivery that lets others go first; `stored` when its row says so. */
interface Held {
  readonly id: number;
  readonly stored: Promise<void>;
}

/** For how long one waits to be overtaken. */
const OVERTAKEN_WITHIN_MS = MINUTE_MS;

/**
 * The faults that deliveries meet, one at most and before their first attempt. What is held back is
 * in the database, with the time it leaves at all events; only the order of it is in memory.
 */
@Injectable()
export class DeliveryFaults {
  private readonly held = new Map<string, Held[]>();

  constructor(
    private readonly faults: Faults,
    private readonly store: FaultStore,
    private readonly wake: Wake,
  ) {}

  /** To be asked in the order of the claims: a seed's choices follow it. */
  choose({ attempt, fault, type }: ClaimedAttempt): WebhookFault | null {
    return attempt === 1 && fault === null ? this.faults.meetWebhook(type) : null;
  }

  /** Does what the fault does. Whether the attempt is made nevertheless. */
  async suffer(claimed: ClaimedAttempt, fault: WebhookFault, now: Instant): Promise<boolean> {
    switch (fault.kind) {
      case 'lose':
        await this.store.lose(claimed);
        return false;
      case 'delay':
        await this.hold(claimed, 'delay', plusMs(now, fault.delayMs));
        return false;
      case 'reorder':
        await this.letOthersFirst(claimed, now);
        return false;
      case 'double':
        await this.store.double(claimed, now);
        this.wake.at(now);
        return true;
    }
  }

  /** An attempt has ended: of what waited to be overtaken by it, the last one leaves. */
  async overtaken({ endpoint_id: endpoint, delivery_id: by }: ClaimedAttempt, now: Instant) {
    const waiting = this.held.get(endpoint)?.filter(({ id }) => id !== by);
    const last = waiting?.pop();
    if (waiting === undefined || last === undefined) {
      this.held.delete(endpoint);
      return;
    }
    this.held.set(endpoint, waiting);
    await last.stored;
    await this.store.release(last.id, now);
    this.wake.at(now);
  }

  /** Those that nobody overtakes leave one after the other, the last of them first. */
  private async letOthersFirst(claimed: ClaimedAttempt, now: Instant): Promise<void> {
    const before = this.held.get(claimed.endpoint_id) ?? [];
    const earlierMs = Math.min(before.length * SECOND_MS, OVERTAKEN_WITHIN_MS);
    const until = plusMs(now, OVERTAKEN_WITHIN_MS - earlierMs);
    const stored = this.hold(claimed, 'reorder', until);
    this.held.set(claimed.endpoint_id, [...before, { id: claimed.delivery_id, stored }]);
    await stored;
  }

  private async hold(
    claimed: ClaimedAttempt,
    fault: 'delay' | 'reorder',
    until: Instant,
  ): Promise<void> {
    await this.store.hold(claimed, fault, until);
    this.wake.at(until);
  }
}
