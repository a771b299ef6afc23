import { Injectable } from '@nestjs/common';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { Store } from '../database/store.js';
import { conflict } from '../http/api-error.js';
import { noSuch } from '../http/ids.js';
import { lockAggregate, PAYMENT_SELECT } from './aggregate.js';
import type { FullPayment } from './payment-row.js';
import { paymentMachine } from './states.js';
import { isOverdue, Transitions } from './transitions.js';

const BY_ID = {
  name: 'payment:by-id',
  text: `${PAYMENT_SELECT} WHERE t.id = $1 AND t.live = $2`,
};
const OF_INTENT = {
  name: 'payment:of-intent',
  text: `${PAYMENT_SELECT} WHERE t.intent_id = $1 ORDER BY t.created_at DESC, t.seq DESC LIMIT 100`,
};

const CAPTURE_ASKED: ReadonlySet<string> = new Set(['to_capture', 'capture_sent', 'captured']);

/** What the API does with payments. Throws `ApiError`. */
@Injectable()
export class Payments {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly transitions: Transitions,
  ) {}

  async read(live: boolean, id: string): Promise<FullPayment> {
    const [row] = await this.store.database.query<FullPayment>(BY_ID, [id, live]);
    if (row === undefined) throw noSuch('paym', id);
    return row;
  }

  /** Newest first. */
  async ofIntent(intentId: string): Promise<FullPayment[]> {
    return this.store.database.query<FullPayment>(OF_INTENT, [intentId]);
  }

  async capture(live: boolean, id: string): Promise<FullPayment> {
    const { intent_id: intentId } = await this.read(live, id);
    return this.store.decide(async (tx, unit) => {
      const found = await lockAggregate(tx, intentId);
      // A payment that is not its intent's latest was refused or given up, and stays that.
      const payment = found?.payment?.id === id ? found.payment : await this.read(live, id);
      if (CAPTURE_ASKED.has(payment.status)) return payment;
      if (found === null || !paymentMachine.can(payment.status, 'capture')) {
        throw conflict(`Payment is ${payment.status}: only an authorized one is captured`);
      }
      if (found.intent.capture) {
        throw conflict('Payment was made with capture=true: the API does not capture it');
      }
      const now = this.clock.now();
      if (isOverdue(payment, now)) throw conflict('The authorization has expired');
      return this.transitions.capture(unit, { intent: found.intent, payment }, now).payment;
    });
  }
}
