import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { JobEnd, JobTable } from '#jobs';
import type { Clock } from '#kernel';
import { type EventStore, untraced } from '#log';
import {
  type AnnouncedPayout,
  type LineExceptionKind,
  LINE_EXCEPTION_KINDS,
  payoutAggregate,
} from '#payout';
import { cursorNameOf } from '#projections';
import type { Reader } from '../reads/background-reads.js';
import { type AccountJob, again, JournalBehind, type AssertClaimed } from './account-job.js';
import { CHUNK_ROWS } from './exception-sql.js';
import { figureProblems, TRANSFER_DAYS } from './figure-problems.js';
import { Overdue } from './overdue.js';
import type { PayoutLines } from './payout-lines.js';
import {
  CLOSE_REMOVED,
  COMMITTED_BY_NOW,
  COMPARE_DIFFERING,
  COMPARE_FIGURES,
  COMPARE_LINES,
  COUNT_LINES,
  HAVE_PROCESSED,
  OPEN_BY_KIND,
  PAYOUTS_TO_COMPARE,
} from './reconcile-sql.js';
import { nextReconciliation } from './read-schedule.js';

/** How long to wait for the projections; the usual lag of a projection is some 100 ms. */
const PROJECTED_WITHIN_MS = 2_000;
const POLL_EVERY_MS = 20;
const PROJECTIONS = [
  cursorNameOf({ name: 'ledger_streams' }),
  cursorNameOf({ name: 'payout_list' }),
];

/** The end of the event log at one moment. */
interface LogEnd {
  readonly epoch: number;
  readonly id: string;
}

/** Whether to compare all lines, or only the lines that differed in the last comparison. */
type WhichLines = 'all' | 'differing';

/**
 * Compares the lines of payouts with our journal, line by line, and finds entries that should be in
 * a payout and are not. The database compares many rows at a time, in short idempotent statements.
 */
export class Reconciliation {
  private readonly overdue: Overdue;
  /**
   * The end of the event log that the projections did not reach in time in the last run; null if
   * they reached it.
   */
  private missed: LogEnd | null = null;

  /** `chunkRows`: the number of rows per statement. */
  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly table: Pick<JobTable, 'save'>,
    private readonly lines: Pick<PayoutLines, 'sharing'>,
    private readonly clock: Clock,
    private readonly chunkRows = CHUNK_ROWS,
  ) {
    this.overdue = new Overdue(pool, clock, chunkRows);
  }

  /**
   * Throws `ClaimLapsed` when another worker has claimed the job, and `JournalBehind` when the
   * journal lags behind the event log.
   */
  async run(
    job: AccountJob,
    { account, calendar, capabilities }: Pick<Reader, 'account' | 'calendar' | 'capabilities'>,
  ): Promise<JobEnd> {
    const { clock, table } = this;
    const assertClaimed = () => table.save(job, job.progress);
    if (capabilities.payouts) {
      await this.untilProjected();
      await this.overdue.closeFailed(account.id, assertClaimed);
      await this.comparePayouts(account.id, assertClaimed);
      await this.overdue.find(account, calendar, assertClaimed);
    } else {
      // If the provider has no payouts, entries are not checked: all of them would be overdue.
      await this.overdue.closeWithoutPayouts(account.id, assertClaimed);
    }
    return again(job, nextReconciliation(job.accountId, clock.now(), calendar), 0);
  }

  /**
   * Compares one payout. If all its lines are read, records the result on the payout's event
   * stream.
   */
  async comparePayout(
    payoutId: string,
    which: WhichLines,
    assertClaimed: AssertClaimed,
  ): Promise<void> {
    const { store, pool, clock } = this;
    const { state: payout } = await store.load(payoutAggregate, payoutId);
    if (payout.status === 'none') return;
    const isComparable = payout.status !== 'failed' && payout.lines !== null;
    const matched = isComparable ? await this.compareLines(payoutId, which, assertClaimed) : 0;
    await this.compareFigures(payoutId, payout);
    if (!isComparable) return;
    const { rows } = await pool.query<{ kind: string; count: number }>(OPEN_BY_KIND, [payoutId]);
    const countOf = (kind: string): number => rows.find((row) => row.kind === kind)?.count ?? 0;
    const exceptions = Object.fromEntries(
      LINE_EXCEPTION_KINDS.map((kind) => [kind, countOf(kind)]),
    ) as Record<LineExceptionKind, number>;
    await store.execute(
      payoutAggregate,
      payoutId,
      { type: 'NoteReconciliation', matched, exceptions, at: clock.now() },
      untraced(payoutId, `reconcile ${payoutId}`, 'reconciliation'),
    );
  }

  /**
   * A new payout may contain lines of other payouts. The other payouts are compared again before
   * the new payout: if the run is interrupted between the two, the new payout still counts as new,
   * and both are compared again.
   */
  private async comparePayouts(accountId: string, assertClaimed: AssertClaimed): Promise<void> {
    const { pool, clock, lines } = this;
    const { rows } = await pool.query<{ id: string; isNew: boolean }>(PAYOUTS_TO_COMPARE, [
      accountId,
      clock.now(),
      TRANSFER_DAYS,
    ]);
    for (const { id, isNew } of rows) {
      const others = isNew ? await lines.sharing(id) : [];
      for (const other of others) await this.comparePayout(other, 'all', assertClaimed);
      await this.comparePayout(id, isNew ? 'all' : 'differing', assertClaimed);
    }
  }

  private async compareFigures(payoutId: string, payout: AnnouncedPayout): Promise<void> {
    const now = this.clock.now();
    const problems = JSON.stringify(figureProblems(payout, now));
    await this.pool.query(COMPARE_FIGURES, [payoutId, problems, now]);
  }

  /** Returns the total number of lines that match our records. */
  private async compareLines(
    payoutId: string,
    which: WhichLines,
    assertClaimed: AssertClaimed,
  ): Promise<number> {
    const { pool, clock, chunkRows } = this;
    const text = which === 'all' ? COMPARE_LINES : COMPARE_DIFFERING;
    let [lastKind, lastObject, differing] = ['', '', 0];
    for (let isLonger = true; isLonger;) {
      const { rows } = await pool.query<{
        lines: number;
        differing: number;
        lastKind: string | null;
        lastObject: string | null;
      }>({
        name: `compare-${which}`,
        text,
        values: [payoutId, lastKind, lastObject, clock.now(), chunkRows],
      });
      for (const chunk of rows) {
        differing += chunk.differing;
        isLonger = chunk.lines === chunkRows;
        [lastKind, lastObject] = [chunk.lastKind ?? lastKind, chunk.lastObject ?? lastObject];
      }
      await assertClaimed();
    }
    await pool.query(CLOSE_REMOVED, [payoutId, clock.now()]);
    const { rows } = await pool.query<{ lines: number }>(COUNT_LINES, [payoutId]);
    return (rows[0]?.lines ?? 0) - differing;
  }

  /**
   * Checks that the journal contains all events committed until now. If the journal is still behind
   * after a short wait, the job is rescheduled: a longer wait would delay the jobs of all accounts.
   */
  private async untilProjected(): Promise<void> {
    if (this.missed !== null && !(await this.haveProcessed(this.missed))) {
      throw new JournalBehind('the journal is still behind the log');
    }
    this.missed = null;
    const { rows } = await this.pool.query<LogEnd>(COMMITTED_BY_NOW);
    const end = rows[0] ?? { epoch: 0, id: '0' };
    const untilMs = performance.now() + PROJECTED_WITHIN_MS;
    while (!(await this.haveProcessed(end))) {
      if (performance.now() > untilMs) {
        this.missed = end;
        throw new JournalBehind('the journal is behind the log');
      }
      await sleep(POLL_EVERY_MS);
    }
  }

  private async haveProcessed({ epoch, id }: LogEnd): Promise<boolean> {
    const { rows } = await this.pool.query<{ taken: boolean }>({
      name: 'have-taken',
      text: HAVE_PROCESSED,
      values: [epoch, id, PROJECTIONS],
    });
    return rows[0]?.taken === true;
  }
}
