import { type JobEnd, type JobTable, triesOf } from '#jobs';
import { type Clock, Rejection } from '#kernel';
import { type EventStore, untraced } from '#log';
import {
  announcedLines,
  LINE_KINDS,
  type LineKind,
  type Payout,
  payoutAggregate,
  type PayoutCommand,
  sameLines,
} from '#payout';
import type { Logger } from '#platform';
import type { Page, PayoutFacts } from '#psp';
import type { Reader } from '../reads/background-reads.js';
import { type AccountJob, again, causeOf } from './account-job.js';
import { addressed, linesFrom, type ListedLine } from './listed-lines.js';
import { readList } from './read-list.js';
import type { PaymentIngest } from './ingest-payments.js';
import type { PaymentReferences } from './payment-references.js';
import type { PayoutLine, PayoutLines } from './payout-lines.js';
import type { AccountJobs } from './account-jobs.js';
import { nextLinesRead, nextPayoutRead } from './read-schedule.js';

/**
 * The maximum number of pages per run; then the worker runs other jobs, so that a long payout does
 * not block them.
 */
const PAGES_AT_ONCE = 50;
/**
 * How often the lines of a payout are read again when they differ from the totals, before the
 * difference is recorded as a mismatch for an operator.
 */
const MAX_LINE_TRIES = 8;

const pageOf = async <T>(
  { items, hasMore }: Page<T>,
  linesOf: (items: readonly T[]) => Promise<readonly ListedLine[]>,
): Promise<Page<ListedLine>> => ({ items: await linesOf(items), hasMore });

/** Reads payouts and their lines. Throws `BudgetSpent`, `ClaimLapsed` or a `ProviderError`. */
export class PayoutReads {
  constructor(
    private readonly store: EventStore,
    private readonly jobs: AccountJobs,
    private readonly table: Pick<JobTable, 'save'>,
    private readonly lines: PayoutLines,
    private readonly references: PaymentReferences,
    private readonly ingest: PaymentIngest,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Records the payouts that were made since the last read. */
  findPayouts(job: AccountJob, reader: Reader): Promise<JobEnd> {
    return readList(this.table, this.clock, 'account.payouts', job, {
      calendar: reader.calendar,
      page: (from) => reader.payouts.listPayouts(from),
      take: async (payouts) => {
        for (const shown of payouts) await this.announce(job, reader, shown);
      },
    });
  }

  /** Reads one payout; the job is scheduled again until the payout has ended. */
  async follow(job: AccountJob, reader: Reader): Promise<JobEnd> {
    const { clock, store } = this;
    const before = (await store.load(payoutAggregate, job.key)).state;
    const shown = await reader.payouts.getPayout(job.key);
    const after = await this.observe(job, reader, shown);
    await this.addLinesRead(job, job.key, after);
    if (after.status === 'failed') await this.callReconciliation(job);
    const tries = after.status === before.status ? triesOf(job) + 1 : 0;
    const dueAt = nextPayoutRead(after, clock.now(), tries, reader.calendar);
    return dueAt === null ? { next: 'done' } : again(job, dueAt, tries);
  }

  /** Reads a payout's lines page by page, from the page at which the previous run stopped. */
  async readLines(job: AccountJob, reader: Reader): Promise<JobEnd> {
    const { table, lines, clock } = this;
    const tries = triesOf(job);
    if (tries > MAX_LINE_TRIES && (await lines.areAccepted(job.key))) return { next: 'done' };
    let { kind = 'payment', start = 0 } = job.progress;
    const pass = job.progress.pass ?? (await lines.nextPass(job.key));
    for (let pages = 0; pages < PAGES_AT_ONCE; pages += 1) {
      const page = await this.readPage(reader, job.key, kind, start);
      const passed = await this.passed(job, reader, page.items);
      await lines.write(job.accountId, job.key, { pass, start }, passed);
      start += page.items.length;
      if (!page.hasMore) {
        const next = LINE_KINDS[LINE_KINDS.indexOf(kind) + 1];
        if (next === undefined) return this.noteLines(job, reader, pass);
        [kind, start] = [next, 0];
      }
      await table.save(job, { kind, start, pass, tries });
    }
    return again(job, clock.now(), tries, { kind, start, pass });
  }

  private async readPage(
    reader: Reader,
    payoutId: string,
    kind: LineKind,
    start: number,
  ): Promise<Page<ListedLine>> {
    const { payouts } = reader;
    const lines = linesFrom(reader, this.references);
    switch (kind) {
      case 'payment':
        return pageOf(await payouts.payoutPayments(payoutId, start), lines.payments);
      case 'refund':
        return pageOf(await payouts.payoutRefunds(payoutId, start), lines.refunds);
      case 'dispute':
        return pageOf(await payouts.payoutDisputes(payoutId, start), lines.disputes);
    }
  }

  /** The lines of a page, each with our payment if the line belongs to one. */
  private async passed(
    job: AccountJob,
    { capabilities }: Reader,
    listed: readonly ListedLine[],
  ): Promise<readonly PayoutLine[]> {
    const source = { accountId: job.accountId, capabilities };
    const ours = await this.ingest.ingest(source, addressed(listed), causeOf(job));
    return listed.map(({ line, reference, fact }) => ({
      ...line,
      paymentId: ours.has(fact) && reference !== null ? reference.paymentId : null,
    }));
  }

  /** Records a payout that was found, and schedules the reads that it still needs. */
  private async announce(job: AccountJob, reader: Reader, shown: PayoutFacts): Promise<void> {
    const { jobs, clock, logger } = this;
    try {
      const payout = await this.observe(job, reader, shown);
      if (payout.status === 'none' || payout.terms.accountId !== job.accountId) return;
      const { accountId } = job;
      const next = nextPayoutRead(payout, clock.now(), 0, reader.calendar);
      if (next !== null) await jobs.add('payout.read', shown.payoutId, accountId, next);
      await this.addLinesRead(job, shown.payoutId, payout);
    } catch (err) {
      if (!(err instanceof Rejection)) throw err;
      logger.error({ err, payoutId: shown.payoutId }, 'a payout was not recorded');
    }
  }

  /** Schedules the read of the lines, unless the lines of the announced figures were read. */
  private async addLinesRead(
    { accountId }: AccountJob,
    payoutId: string,
    payout: Payout,
  ): Promise<void> {
    if (payout.status === 'none' || payout.status === 'failed' || payout.lines !== null) return;
    await this.jobs.add('payout.lines', payoutId, accountId, this.clock.now());
  }

  private observe(job: AccountJob, { account }: Reader, shown: PayoutFacts): Promise<Payout> {
    const { id: accountId, platformId, merchantId, mode } = account;
    return this.command(job, shown.payoutId, {
      type: 'ObservePayout',
      account: { accountId, platformId, merchantId, mode },
      observation: shown,
      at: this.clock.now(),
    });
  }

  /**
   * Records the lines that were read. If they do not match the payout's totals, they are read again
   * a few times, then recorded with the difference; after that they are read daily until the
   * provider has repaired them or operators have closed the break. A line that is listed twice
   * counts twice only if a second read also shows it twice, because a list that grows during a read
   * shows some lines twice.
   */
  private async noteLines(job: AccountJob, reader: Reader, pass: number): Promise<JobEnd> {
    const { lines, clock } = this;
    const { key: payoutId } = job;
    const tries = triesOf(job);
    await lines.keepPass(payoutId, pass);
    const { sums, repeats } = await lines.totals(payoutId);
    const shown = await reader.payouts.getPayout(payoutId);
    const payout = await this.observe(job, reader, shown);
    if (payout.status === 'none' || payout.status === 'failed') return { next: 'done' };
    const isSure = sameLines(announcedLines(payout.terms), sums) && (!repeats || tries > 0);
    if (isSure || tries >= MAX_LINE_TRIES) {
      await this.readPayoutsWithSameLines(job, reader);
      const noted = await this.command(job, payoutId, {
        type: 'NoteLines',
        lines: sums,
        at: clock.now(),
      });
      await this.callReconciliation(job);
      // Another read may have recorded other figures meanwhile: the lines are then read again.
      if (noted.status !== 'none' && !sameLines(announcedLines(noted.terms), sums)) {
        return again(job, nextLinesRead(clock.now(), tries), tries + 1, {});
      }
    }
    return isSure ? { next: 'done' } : again(job, nextLinesRead(clock.now(), tries), tries + 1, {});
  }

  /**
   * Reads the payouts that contain the same lines. One of them may have failed, even after it was
   * paid: its lines have then moved to this payout, and must not be reported as duplicates.
   */
  private async readPayoutsWithSameLines(job: AccountJob, reader: Reader): Promise<void> {
    const { lines, store } = this;
    for (const id of await lines.sharing(job.key)) {
      const { state } = await store.load(payoutAggregate, id);
      if (state.status === 'failed') continue;
      await this.observe(job, reader, await reader.payouts.getPayout(id));
    }
  }

  private callReconciliation({ accountId }: AccountJob): Promise<void> {
    return this.jobs.callFor('account.reconcile', accountId, this.clock.now());
  }

  private command(job: AccountJob, payoutId: string, command: PayoutCommand): Promise<Payout> {
    return this.store.execute(
      payoutAggregate,
      payoutId,
      command,
      untraced(payoutId, causeOf(job), 'provider'),
    );
  }
}
