import { Injectable } from '@nestjs/common';
import { assert, type Instant } from '#kernel';
import type { DueSource } from '../clock/due-work.js';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { Store } from '../database/store.js';
import type { Unit } from '../database/unit.js';
import { type Aggregate, lockAggregate } from './aggregate.js';
import type { PaymentRow } from './payment-row.js';
import { authMachine } from './states.js';
import { Transitions } from './transitions.js';

/** Payments that one transaction moves: it holds its locks for a few milliseconds. */
const CHUNK = 100;

const NEXT = {
  name: 'due:next',
  text: 'SELECT min(due_at) AS at FROM payments WHERE due_at IS NOT NULL',
};
const DUE = {
  name: 'due:payments',
  text: `SELECT intent_id FROM payments WHERE due_at <= $1
         ORDER BY due_at, id LIMIT ${CHUNK}`,
};

/** What the clock does to payments: expiries, the cut-off, and the morning after. */
@Injectable()
export class DuePayments implements DueSource {
  readonly name = 'payments';

  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly transitions: Transitions,
  ) {}

  async nextDue(): Promise<Instant | null> {
    const [row] = await this.store.database.query<{ at: Instant | null }>(NEXT);
    return row?.at ?? null;
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const due = await this.store.database.query<{ intent_id: string }>(DUE, [upTo]);
      if (due.length === 0) return;
      // In one order everywhere, so that two processes cannot wait for each other.
      const intentIds = [...new Set(due.map((row) => row.intent_id))].sort();
      await this.store.decide(async (tx, unit) => {
        const held = await Promise.all(intentIds.map((id) => lockAggregate(tx, id)));
        for (const aggregate of held) this.move(unit, aggregate, upTo);
      });
    }
  }

  async settled(): Promise<void> {
    // `begin` leaves nothing going on.
  }

  /** Looks again under the lock: a capture or a cancel may have been first. */
  private move(unit: Unit, held: Aggregate | null, upTo: Instant): void {
    const payment = held?.payment ?? null;
    assert(held !== null && payment !== null, 'only the latest payment of an intent falls due');
    const { due_at: dueAt } = payment;
    if (dueAt === null || dueAt > upTo) return;
    const attempt = { intent: held.intent, payment };
    const step = stepOf(payment);
    if (step === 'auth_expire') this.transitions.giveUp(unit, attempt, 'expire', this.clock.now());
    else if (step === 'expire') this.transitions.expire(unit, attempt, this.clock.now());
    else this.transitions.clear(unit, attempt, step, dueAt);
  }
}

/** What time does to a payment, by where it stands. */
const stepOf = (payment: PaymentRow): 'auth_expire' | 'expire' | 'cut_off' | 'clear' => {
  if (payment.status === 'authorized') return 'expire';
  if (payment.status === 'to_capture') return 'cut_off';
  if (payment.status === 'capture_sent') return 'clear';
  const { auth_status: auth } = payment;
  assert(auth !== null && authMachine.can(auth, 'expire'), 'what falls due can move');
  return 'auth_expire';
};
