import { earlier, type Instant } from '#kernel';
import type { DueSource } from '../clock/due-work.js';
import { earliest } from '../clock/earliest.js';
import { clearingFrom } from './bank-days.js';

/**
 * A kind of timed work whose `begin` resolves only when the work that is due up to the given
 * instant is done.
 */
type Part = Pick<DueSource, 'nextDue' | 'begin'>;

/**
 * Processes the payments, refunds, disputes and payouts that are due. Each clearing is completed
 * before the next starts, also after a downtime of several days, so that a payout contains everything
 * settled on its morning.
 */
export class DueMoney implements DueSource {
  readonly name = 'money';

  /** `parts`: the kinds of timed work, in the order in which they run at each clearing. */
  constructor(private readonly parts: readonly Part[]) {}

  async nextDue(): Promise<Instant | null> {
    return earliest(await Promise.all(this.parts.map((part) => part.nextDue())));
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const next = await this.nextDue();
      if (next === null || next > upTo) return;
      const until = earlier(upTo, clearingFrom(next));
      for (const part of this.parts) await part.begin(until);
    }
  }

  async settled(): Promise<void> {
    // Nothing to wait for, because `begin` resolves only when its work is done.
  }
}
