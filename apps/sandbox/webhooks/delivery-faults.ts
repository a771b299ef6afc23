import { Injectable } from '@nestjs/common';
import { type Instant, MINUTE_MS, plusMs, SECOND_MS } from '#kernel';
import type { WebhookFault } from '../faults/fault.js';
import { Faults } from '../faults/faults.js';
import { Wake } from '../storage/wake.js';
import type { ClaimedAttempt } from './delivery-store.js';
import { FaultStore } from './fault-store.js';

/**
 * A delivery held back by the fault `reorder` until a later delivery has been sent; `stored`
 * resolves when its new due time is stored.
 */
interface Held {
  readonly id: number;
  readonly stored: Promise<void>;
}

/** A delivery that is held back is sent after this time even if no later delivery has been sent. */
const MAX_HOLD_MS = MINUTE_MS;

/**
 * Applies faults to deliveries: at most one to each, before its first attempt. A delivery that is
 * held back is stored with the latest time at which it is sent, so it is sent even after a restart;
 * only the list of these deliveries is in memory.
 */
@Injectable()
export class DeliveryFaults {
  private readonly held = new Map<string, Held[]>();

  constructor(
    private readonly faults: Faults,
    private readonly store: FaultStore,
    private readonly wake: Wake,
  ) {}

  /**
   * Returns the fault of a delivery, or null. Must be called in the order of the claims, because
   * the random choices of a seed depend on the order of the calls.
   */
  choose({ attempt, fault, type }: ClaimedAttempt): WebhookFault | null {
    return attempt === 1 && fault === null ? this.faults.takeWebhookFault(type) : null;
  }

  /** Applies the fault. Returns whether the attempt is to be sent immediately. */
  async apply(claimed: ClaimedAttempt, fault: WebhookFault, now: Instant): Promise<boolean> {
    switch (fault.kind) {
      case 'lose':
        await this.store.lose(claimed);
        return false;
      case 'delay':
        await this.hold(claimed, 'delay', plusMs(now, fault.delayMs));
        return false;
      case 'reorder':
        await this.holdBack(claimed, now);
        return false;
      case 'double':
        await this.store.double(claimed, now);
        this.wake.at(now);
        return true;
    }
  }

  /**
   * Called after an attempt has ended: sends the most recently held back of the earlier deliveries
   * of the same endpoint. A retry of an earlier delivery releases none.
   */
  async releaseHeld({ endpoint_id: endpoint, delivery_id: by }: ClaimedAttempt, now: Instant) {
    const held = this.held.get(endpoint) ?? [];
    const last = held.findLast(({ id }) => id < by);
    const left = held.filter((one) => one !== last && one.id !== by);
    if (left.length === 0) this.held.delete(endpoint);
    else this.held.set(endpoint, left);
    if (last === undefined) return;
    await last.stored;
    await this.store.release(last.id, now);
    this.wake.at(now);
  }

  /**
   * Holds a delivery back. If no later delivery is sent, the deliveries held back are sent after a
   * minute, a second apart, the latest first.
   */
  private async holdBack(claimed: ClaimedAttempt, now: Instant): Promise<void> {
    const before = this.held.get(claimed.endpoint_id) ?? [];
    const earlierMs = Math.min(before.length * SECOND_MS, MAX_HOLD_MS);
    const until = plusMs(now, MAX_HOLD_MS - earlierMs);
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
