import { Injectable } from '@nestjs/common';
import { assert, type Instant, newId } from '#kernel';
import { earliest } from '../../clock/earliest.js';
import { bankDaysAfter, dateOf, nextCutOff } from '../../money/bank-days.js';
import { type LineSum, payoutFigures } from '../../money/payout-figures.js';
import { type Balance, closeLines } from '../../money/waiting-lines.js';
import { scopeOf, scopeValues } from '../../storage/account-scope.js';
import type { Transaction } from '../../storage/database.js';
import { nextDueOf } from '../../storage/next-due.js';
import { Store } from '../../storage/store.js';
import type { Unit } from '../../storage/unit.js';
import { fillPayout, releasePayout } from './payout-membership.js';
import { type PayoutRow, PAYOUTS } from './payout-resource.js';
import { payoutMachine } from './payout-states.js';

const DUE_PAYOUT = {
  name: 'due:payout',
  text: 'SELECT id FROM payouts WHERE due_at <= $1 ORDER BY due_at, id LIMIT 1',
};
const LOCK_PAYOUT = {
  name: 'due:payout-lock',
  text: 'SELECT * FROM payouts WHERE id = $1 FOR NO KEY UPDATE',
};
const DUE_BALANCE = {
  name: 'due:payout-balance',
  text: `SELECT account_id, live, currency, due_at FROM payout_lines WHERE due_at <= $1
         ORDER BY due_at, account_id, live, currency LIMIT 1`,
};

const WAITING = `payout_id IS NULL AND account_id = $1 AND live = $2 AND currency = $3`;
/**
 * Sums the lines for the payout of a morning: the lines due by that morning and the lines carried
 * over from earlier days.
 */
const SUMS = {
  name: 'payout:sums',
  text: `SELECT kind, method, count(*) AS count, sum(amount)::bigint AS amount,
                sum(fee)::bigint AS fees, bool_or(due_at IS NOT NULL) AS due
         FROM payout_lines WHERE ${WAITING} AND (due_at IS NULL OR due_at <= $4)
         GROUP BY kind, method`,
};
const BEING_FILLED = {
  name: 'payout:being-filled',
  text: `SELECT id FROM payouts
         WHERE account_id = $1 AND live = $2 AND currency = $3
           AND status = 'pending' AND due_at = created_at`,
};
const CARRY = {
  name: 'payout:carry',
  text: `UPDATE payout_lines SET due_at = NULL WHERE ${WAITING} AND due_at <= $4`,
};

/** An account's balance with a due payout line, and the morning of its payout. */
interface DueBalance extends Balance {
  readonly due_at: Instant;
}

/**
 * Timed steps of payouts. In the morning, a balance's waiting lines become a payout with the status
 * `pending`; the status changes to `to_pay` at the cut-off of the same day, to `sent` on the next
 * bank day, and to `paid` on the bank day after. Each step is a short transaction that continues
 * where the previous one ended, so a crash at any point is safe. First the payout is created with
 * its totals; then its lines are assigned in chunks, during which no other line can join the
 * payout.
 */
@Injectable()
export class DuePayouts {
  constructor(private readonly store: Store) {}

  async nextDue(): Promise<Instant | null> {
    const { database } = this.store;
    return earliest(
      await Promise.all(['payouts', 'payout_lines'].map((table) => nextDueOf(database, table))),
    );
  }

  /** Executes the due steps of existing payouts before the creation of a new payout. */
  async begin(upTo: Instant): Promise<void> {
    const { database } = this.store;
    for (;;) {
      const [payout] = await database.query<{ id: string }>(DUE_PAYOUT, [upTo]);
      if (payout !== undefined) {
        await this.store.decide((tx, unit) => this.move(tx, unit, payout.id, upTo));
        continue;
      }
      const [balance] = await database.query<DueBalance>(DUE_BALANCE, [upTo]);
      if (balance === undefined) return;
      await this.store.decide((tx, unit) => this.make(tx, unit, balance));
    }
  }

  private async move(tx: Transaction, unit: Unit, id: string, upTo: Instant): Promise<void> {
    const [payout] = await tx.query<PayoutRow>(LOCK_PAYOUT, [id]);
    if (payout === undefined || payout.due_at === null || payout.due_at > upTo) return;
    const { status, due_at: at, created_at: madeAt } = payout;
    if (status === 'failed') {
      const isEmpty = await releasePayout(tx, unit, payout, at);
      if (isEmpty) unit.change(PAYOUTS, { ...payout, due_at: null });
    } else if (isBeingFilled(payout)) {
      const isFull = await fillPayout(tx, unit, payout);
      if (isFull) unit.change(PAYOUTS, { ...payout, due_at: nextCutOff(madeAt) });
    } else {
      unit.change(PAYOUTS, { ...payout, ...steps(payout, at) });
    }
  }

  /**
   * Creates the payout of one balance and morning, or carries the lines over when the amount is not
   * positive.
   */
  private async make(tx: Transaction, unit: Unit, balance: DueBalance): Promise<void> {
    const { currency, due_at: morning } = balance;
    const whose = [...scopeValues(balance), currency];
    await closeLines(tx);
    const [sums, unfinished] = await Promise.all([
      tx.query<LineSum & { readonly due: boolean }>(SUMS, [...whose, morning]),
      tx.query(BEING_FILLED, whose),
    ]);
    // Another process has created the payout and may still be assigning these lines to it.
    if (unfinished.length > 0 || !sums.some(({ due }) => due)) return;
    const figures = payoutFigures(sums);
    if (figures.amount <= 0) {
      tx.write(CARRY, [...whose, morning]);
      return;
    }
    const date = dateOf(morning);
    unit.insert(PAYOUTS, {
      id: newId('pout'),
      ...scopeOf(balance),
      currency,
      status: 'pending',
      ...figures,
      date,
      reference: referenceOf(balance, date),
      date_bank: null,
      created_at: morning,
      due_at: morning,
    });
  }
}

/**
 * How many characters of the account id the reference contains: a credit transfer reference has at
 * most 35 characters.
 */
const ACCOUNT_IN_REFERENCE = 16;

/** The reference of a payout on the bank statement: unique per account, balance and day. */
const referenceOf = ({ account_id: account, currency, live }: Balance, date: string): string => {
  const owner = account.slice('acct_'.length, 'acct_'.length + ACCOUNT_IN_REFERENCE);
  const day = date.replaceAll('-', '');
  return `${day}-${currency.toUpperCase()}-${live ? 'LIVE' : 'TEST'}-${owner}`;
};

/** Whether the lines of a created payout are still being assigned to it. */
export const isBeingFilled = ({ status, due_at: at, created_at: madeAt }: PayoutRow): boolean =>
  status === 'pending' && at === madeAt;

type Standing = Pick<PayoutRow, 'status' | 'due_at' | 'date_bank'>;

/**
 * The next status of a payout, and the times that belong to that status. See
 * docs/provider/payments-completion.md#states.
 */
const steps = (payout: PayoutRow, at: Instant): Standing => {
  const { status, date_bank } = payout;
  if (status === 'pending') {
    const next = payoutMachine.next(status, 'clear');
    return { status: next, due_at: bankDaysAfter(at, 1), date_bank };
  }
  if (status === 'to_pay') {
    const next = payoutMachine.next(status, 'send');
    return { status: next, due_at: bankDaysAfter(at, 1), date_bank };
  }
  assert(status === 'sent', 'a paid or failed payout has no due time');
  return { status: payoutMachine.next(status, 'pay'), due_at: null, date_bank: dateOf(at) };
};
