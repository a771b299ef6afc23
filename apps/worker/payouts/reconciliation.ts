import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, DAY_MS, instantFromMs, type Instant, msOf } from '#kernel';
import type { EventStore } from '#event-store';
import {
  type AnnouncedPayout, announcedLines, type ExceptionCounts, payoutAggregate, vatMinor,
} from '#payout';
import type { ProviderAccount } from '#provider';
import type { Pool } from 'pg';
import { cursorNameOf } from '../projections/projection.js';
import type { AccountTask, TaskEnd } from './account-task.js';
import {
  CLOSE_FAILED, CLOSE_OVERDUE, COMMITTED_BY_NOW, COMPARE_CHUNK, COMPARE_FIGURES, HAVE_TAKEN,
  OPEN_BY_KIND, OVERDUE_OF_DAY, PAYOUTS_TO_COMPARE, READ_MARK, WRITE_MARK,
} from './reconcile-sql.js';
import { newestReadDay, nextReconciliation } from './task-schedule.js';

/** Lines of one statement, so that readers of the log wait for none for long. */
const CHUNK_LINES = 10_000;
/** A payout may fail until it is paid, and its lines are then in none again. */
const LOOK_BACK_MS = 8 * DAY_MS;
const PROJECTED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 20;
const PROJECTIONS = [cursorNameOf({ name: 'ledger_streams' }), cursorNameOf({ name: 'payout_list' })];

const dayOf = (at: Instant): string => at.slice(0, 10);
const dayFrom = (day: string, days: number): string =>
  dayOf(instantFromMs(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

export interface ReconciliationParts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly clock: Clock;
}

interface Compared {
  readonly lines: number;
  readonly differing: number;
}

/** What does not add up in a payout's own figures; VAT is on the fees of the whole, once. */
const figureProblems = ({ terms }: AnnouncedPayout): readonly object[] => {
  const { payment, refund, dispute } = announcedLines(terms);
  const lineFees = payment.feesMinor + refund.feesMinor + dispute.feesMinor;
  const vat = vatMinor(lineFees);
  const amount =
    payment.amountMinor - refund.amountMinor - dispute.amountMinor - lineFees - vat;
  const told = (kind: string, expected: number, observed: number): readonly object[] =>
    expected === observed ? [] : [{ kind, expected: String(expected), observed: String(observed) }];
  return [
    ...told('fee', lineFees + vat, terms.feesMinor + terms.feesVatMinor),
    ...told('amount', amount, terms.amountMinor),
  ];
};

/**
 * Compares what payouts' lines say with our journal, line by line, and finds what is in no payout
 * though it should be. Set-wise in the database, in short statements, each of which may run again.
 */
export class Reconciliation {
  constructor(private readonly parts: ReconciliationParts) {}

  async run(task: AccountTask, account: ProviderAccount): Promise<TaskEnd> {
    const { pool, clock } = this.parts;
    await this.untilProjected();
    await pool.query(CLOSE_FAILED, [account.id, clock.now()]);
    const { rows } = await pool.query<{ id: string }>(PAYOUTS_TO_COMPARE, [account.id]);
    for (const { id } of rows) await this.comparePayout(id);
    await this.findOverdue(account);
    return { next: 'again', tries: 0, dueAt: nextReconciliation(task.accountId, clock.now()) };
  }

  /** Compares one payout whose lines have been read, and tells on its stream what came of it. */
  async comparePayout(payoutId: string): Promise<void> {
    const { store, pool, clock } = this.parts;
    const { state: payout } = await store.load(payoutAggregate, payoutId);
    if (payout.status === 'none' || payout.status === 'failed') return;
    const { lines, differing } = await this.compareLines(payoutId);
    const problems = JSON.stringify(figureProblems(payout));
    await pool.query(COMPARE_FIGURES, [payoutId, problems, clock.now()]);
    const { rows } = await pool.query<{ kind: keyof ExceptionCounts; count: number }>(
      OPEN_BY_KIND, [payoutId]);
    const exceptions: ExceptionCounts = {
      unknown: 0, amount: 0, currency: 0, duplicate: 0, fee: 0,
      ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])),
    };
    const matched = lines - differing;
    await store.execute(
      payoutAggregate, payoutId,
      { type: 'NoteReconciliation', matched, exceptions, at: clock.now() },
      {
        correlationId: payoutId, causationId: `reconcile ${payoutId}`, actor: 'reconciliation',
        traceparent: null,
      },
    );
  }

  /** What was booked and is in no payout of the day after, day by day, once those could be read. */
  async findOverdue(account: Pick<ProviderAccount, 'id' | 'platformId' | 'merchantId'>) {
    const { pool, clock } = this.parts;
    const { id, platformId, merchantId } = account;
    const newestRead = newestReadDay(clock.now());
    const mark = await pool.query<{ day: string | null }>(READ_MARK, [id]);
    const firstDay = mark.rows[0]?.day ?? null;
    if (firstDay === null) return;
    for (let day = firstDay; day < dayFrom(newestRead, -1); day = dayFrom(day, 1)) {
      await pool.query(OVERDUE_OF_DAY, [id, day, platformId, merchantId, clock.now()]);
    }
    await pool.query(CLOSE_OVERDUE, [id, clock.now()]);
    const settled = dayOf(instantFromMs(msOf(clock.now()) - LOOK_BACK_MS));
    await pool.query(WRITE_MARK, [id, settled > firstDay ? settled : firstDay]);
  }

  private async compareLines(payoutId: string): Promise<Compared> {
    const { pool, clock } = this.parts;
    let [lastKind, lastObject] = ['', ''];
    let total: Compared = { lines: 0, differing: 0 };
    for (;;) {
      const { rows } = await pool.query<Compared & { lastKind: string; lastObject: string }>({
        name: 'compare-lines', text: COMPARE_CHUNK,
        values: [payoutId, lastKind, lastObject, clock.now(), CHUNK_LINES],
      });
      const [chunk] = rows;
      if (chunk === undefined || chunk.lines === 0) return total;
      total = {
        lines: total.lines + chunk.lines, differing: total.differing + chunk.differing,
      };
      if (chunk.lines < CHUNK_LINES) return total;
      ({ lastKind, lastObject } = chunk);
    }
  }

  /** What the lines have told of payments is events by now, and must be in the journal too. */
  private async untilProjected(): Promise<void> {
    const { pool } = this.parts;
    const end = await pool.query<{ epoch: number; id: string }>(COMMITTED_BY_NOW);
    const { epoch, id } = end.rows[0] ?? { epoch: 0, id: '0' };
    const untilMs = performance.now() + PROJECTED_WITHIN_MS;
    for (;;) {
      const { rows } = await pool.query<{ taken: boolean }>({
        name: 'have-taken', text: HAVE_TAKEN, values: [epoch, id, PROJECTIONS],
      });
      if (rows[0]?.taken === true) return;
      if (performance.now() > untilMs) throw new Error('the journal is behind the log');
      await sleep(LOOK_EVERY_MS);
    }
  }
}
