import { earlier, type Instant } from '#kernel';
import type { DueSource } from '../clock/due-work.js';
import { earliest } from '../clock/earliest.js';
import { clearingFrom } from './bank-days.js';

/** One part of what falls due of money. `begin` does all that is due by then, to its end. */
type Part = Pick<DueSource, 'nextDue' | 'begin'>;

/**
 * Payments, refunds, disputes and payouts, each clearing done with before the next begins: a payout holds all
 * that its morning has settled, also when several days fall due at once because nobody was there.
 */
export class DueMoney implements DueSource {
  readonly name = 'money';

  /** In this order at each clearing. */
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
    // `begin` leaves nothing going on.
  }
}
