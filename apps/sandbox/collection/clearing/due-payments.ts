import { Injectable } from '@nestjs/common';
import { assert, type Instant } from '#kernel';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { addLines } from '../../money/waiting-lines.js';
import type { Transaction } from '../../storage/database.js';
import { nextDueOf } from '../../storage/next-due.js';
import { Store } from '../../storage/store.js';
import type { Unit } from '../../storage/unit.js';
import { openDueDisputes } from '../disputes/due-disputes.js';
import { lockIntents, PAYMENT_SELECT } from '../payments/aggregate.js';
import type { IntentRow } from '../payments/intent-resource.js';
import type { FullPayment } from '../payments/payment-resource.js';
import { paymentMachine } from '../payments/states.js';
import { Transitions } from '../payments/transitions.js';
import { failUnsentRefunds, releaseRefunds } from '../refunds/waiting-refunds.js';
import { type ClearedPayment, sendCapture, settleCapture } from './clearing.js';
import { debitReturn } from './debit-clearing.js';

/**
 * Maximum number of payments per transaction, so that locks are held for some tens of milliseconds
 * only.
 */
const CHUNK = 1_000;

const DUE = {
  name: 'due:payments',
  text: `SELECT id, intent_id FROM payments WHERE due_at <= $1
         ORDER BY due_at, id LIMIT ${CHUNK}`,
};
/**
 * Reads the due payments again under the locks: a capture or a cancellation may have changed them.
 */
const STILL_DUE = {
  name: 'due:still',
  text: `SELECT t.id, t.account_id, t.live, t.intent_id, t.single_call, t.status, t.method, t.amount,
                t.currency, t.order_id, t.due_at, coalesce(card.scenario, sepa.scenario) AS scenario
         FROM payments t
         LEFT JOIN cards card ON card.id = t.card_id
         LEFT JOIN sepa ON sepa.id = t.sepa_id
         WHERE t.id = ANY($1) AND t.due_at <= $2 ORDER BY t.due_at, t.id`,
};
const FULL = { name: 'due:full', text: `${PAYMENT_SELECT} WHERE t.id = ANY($1)` };

/** The timed transition of a payment, by its status. */
type Step = 'auth_expire' | 'expire' | 'cut_off' | 'settle' | 'return' | 'dispute';

const stepOf = ({ status, method, scenario }: ClearedPayment): Step => {
  if (status === 'authorized') return 'expire';
  if (status === 'to_capture') return 'cut_off';
  if (status === 'captured') return 'dispute';
  if (status === 'awaiting_bank') return 'auth_expire';
  assert(paymentMachine.can(status, 'clear'), 'a payment with a due time has a timed transition');
  return method === 'sepa' && debitReturn(scenario) !== null ? 'return' : 'settle';
};

/** The payments that one database transaction changes, grouped by their change of status. */
type Chunk = ReadonlyMap<Step, readonly ClearedPayment[]>;

const bySteps = (payments: readonly ClearedPayment[]): Chunk => {
  const chunk = new Map<Step, ClearedPayment[]>();
  for (const payment of payments) {
    const step = stepOf(payment);
    const same = chunk.get(step);
    if (same === undefined) chunk.set(step, [payment]);
    else same.push(payment);
  }
  return chunk;
};

/** Executes the timed transitions of payments: expiries, the cut-off, settlement, and disputes. */
@Injectable()
export class DuePayments {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly transitions: Transitions,
  ) {}

  nextDue(): Promise<Instant | null> {
    return nextDueOf(this.store.database, 'payments');
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const due = await this.store.database.query<{ id: string; intent_id: string }>(DUE, [upTo]);
      if (due.length === 0) return;
      await this.store.decide(async (tx, unit) => {
        const [intents, payments] = await Promise.all([
          lockIntents(
            tx,
            due.map((row) => row.intent_id),
          ),
          tx.query<ClearedPayment>(STILL_DUE, [due.map((row) => row.id), upTo]),
        ]);
        const chunk = bySteps(payments);
        await this.clear(tx, unit, intents, chunk);
        await this.end(tx, unit, intents, chunk);
      });
    }
  }

  /** Executes the transitions that send no events: sending, settlement and disputes. */
  private async clear(
    tx: Transaction,
    unit: Unit,
    intents: ReadonlyMap<string, IntentRow>,
    chunk: Chunk,
  ): Promise<void> {
    for (const payment of chunk.get('cut_off') ?? []) {
      sendCapture(unit, intentOf(intents, payment), payment);
    }
    const settled = chunk.get('settle') ?? [];
    const lines = settled.map((payment) =>
      settleCapture(unit, intentOf(intents, payment), payment),
    );
    lines.push(...(await openDueDisputes(tx, unit, chunk.get('dispute') ?? [])));
    await Promise.all([
      releaseRefunds(tx, unit, new Map(settled.map(({ id, due_at: at }) => [id, at]))),
      addLines(tx, unit, lines),
    ]);
  }

  /**
   * Executes the transitions that send events, such as an expiry. Reads the whole payments, because
   * events contain them.
   */
  private async end(
    tx: Transaction,
    unit: Unit,
    intents: ReadonlyMap<string, IntentRow>,
    chunk: Chunk,
  ): Promise<void> {
    const steps = ['auth_expire', 'expire', 'return'] as const;
    const ending = steps.flatMap((step) =>
      (chunk.get(step) ?? []).map((payment) => ({ step, payment })),
    );
    if (ending.length === 0) return;
    const ids = ending.map(({ payment }) => payment.id);
    const rows = await tx.query<FullPayment>(FULL, [ids]);
    const full = new Map(rows.map((row) => [row.id, row]));
    const now = this.clock.now();
    for (const {
      step,
      payment: { id, intent_id: intentId, scenario },
    } of ending) {
      const intent = intents.get(intentId);
      const payment = full.get(id);
      assert(intent !== undefined && payment !== undefined, 'the locked rows exist');
      const attempt = { intent, payment };
      if (step === 'auth_expire') this.transitions.abandon(unit, attempt, 'expire', now);
      else if (step === 'expire') this.transitions.expire(unit, attempt, now);
      else this.transitions.returnDebit(unit, attempt, debitReturn(scenario) ?? '', now);
    }
    const returned = chunk.get('return') ?? [];
    await failUnsentRefunds(
      tx,
      unit,
      returned.map(({ id }) => id),
    );
  }
}

const intentOf = (
  intents: ReadonlyMap<string, IntentRow>,
  { intent_id: id }: ClearedPayment,
): IntentRow => {
  const intent = intents.get(id);
  assert(intent !== undefined, 'the locked rows exist');
  return intent;
};
