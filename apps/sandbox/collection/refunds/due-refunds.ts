import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import { nextMorning } from '../../money/bank-days.js';
import type { Method } from '../../money/fees.js';
import { addLines, type NewLine } from '../../money/waiting-lines.js';
import { scopeOf } from '../../storage/account-scope.js';
import { nextDueOf } from '../../storage/next-due.js';
import { Store } from '../../storage/store.js';
import type { Unit } from '../../storage/unit.js';
import { lockIntents } from '../payments/aggregate.js';
import type { RefundRow } from './refund-resource.js';
import { refundMachine } from './refund-states.js';
import { MOVED_REFUNDS } from './waiting-refunds.js';

const CHUNK = 1_000;

const DUE = {
  name: 'due:refunds',
  text: `SELECT t.id, p.intent_id FROM refunds t JOIN payments p ON p.id = t.payment_id
         WHERE t.due_at <= $1 ORDER BY t.due_at, t.id LIMIT ${CHUNK}`,
};
const STILL_DUE = {
  name: 'due:refunds-still',
  text: `SELECT t.*, p.method FROM refunds t JOIN payments p ON p.id = t.payment_id
         WHERE t.id = ANY($1) AND t.due_at <= $2 ORDER BY t.due_at, t.id`,
};

interface DueRefund extends RefundRow {
  readonly method: Method;
  readonly due_at: Instant;
}

/** Timed transitions of refunds: sent at the cut-off, settled in the morning, without events. */
@Injectable()
export class DueRefunds {
  constructor(private readonly store: Store) {}

  nextDue(): Promise<Instant | null> {
    return nextDueOf(this.store.database, 'refunds');
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const due = await this.store.database.query<{ id: string; intent_id: string }>(DUE, [upTo]);
      if (due.length === 0) return;
      await this.store.decide(async (tx, unit) => {
        const [, refunds] = await Promise.all([
          lockIntents(
            tx,
            due.map((row) => row.intent_id),
          ),
          tx.query<DueRefund>(STILL_DUE, [due.map((row) => row.id), upTo]),
        ]);
        const lines = refunds.flatMap((refund) => move(unit, refund) ?? []);
        await addLines(tx, unit, lines);
      });
    }
  }
}

/** The payout line of a settled refund; null for a refund that was sent but has not settled. */
const move = (unit: Unit, refund: DueRefund): NewLine | null => {
  const { id, due_at: at } = refund;
  if (refundMachine.can(refund.status, 'cut_off')) {
    const status = refundMachine.next(refund.status, 'cut_off');
    unit.change(MOVED_REFUNDS, { id, status, due_at: nextMorning(at) });
    return null;
  }
  unit.change(MOVED_REFUNDS, {
    id,
    status: refundMachine.next(refund.status, 'clear'),
    due_at: null,
  });
  const { payment_id, method, amount, currency } = refund;
  return {
    ...scopeOf(refund),
    kind: 'refund',
    payment_id,
    refund_id: id,
    dispute_id: null,
    method,
    amount,
    fee: 0,
    currency,
    created_at: at,
  };
};
