import { type Clock, DAY_MS, instantFromMs, parseInstant } from '#kernel';
import type { Calendar, ProviderAccount } from '#psp';
import type { Pool } from 'pg';
import type { AssertClaimed } from './account-job.js';
import { CHUNK_ROWS } from './exception-sql.js';
import {
  CLOSE_FAILED,
  CLOSE_OVERDUE,
  CLOSE_WITHOUT_PAYOUTS,
  DAYS,
  LAST_LIST_READ,
  OVERDUE_OF_DAY,
  READ_MARK,
  WRITE_MARK,
} from './overdue-sql.js';
import { newestReadDay, seenMorning } from './read-schedule.js';

/**
 * How many days an entry may be older than the payout that contains it. Only a longer series of
 * days with negative totals delays an entry further.
 */
const OVERLAP_DAYS = 8;

const dayFrom = (day: string, days: number): string =>
  instantFromMs(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).slice(0, 10);
const earlierOf = (a: string, b: string): string => (a < b ? a : b);

/**
 * Finds journal entries that should be in a payout and are not, and writes their reconciliation
 * breaks.
 */
export class Overdue {
  /** `chunkRows`: the number of rows per statement. */
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly chunkRows = CHUNK_ROWS,
  ) {}

  /** Closes the breaks of payouts that have failed since the breaks were found. */
  closeFailed(accountId: string, assertClaimed: AssertClaimed): Promise<void> {
    return this.inChunks(CLOSE_FAILED, [accountId, this.clock.now()], assertClaimed);
  }

  /**
   * Closes the breaks of an account whose provider no longer offers payouts, because no later
   * payout can resolve them.
   */
  closeWithoutPayouts(accountId: string, assertClaimed: AssertClaimed): Promise<void> {
    return this.inChunks(CLOSE_WITHOUT_PAYOUTS, [accountId, this.clock.now()], assertClaimed);
  }

  /**
   * Finds, day by day, journal entries that are not in the payouts of the following days, up to the
   * last day whose payouts have been read. Finds none while the list of payouts cannot be read.
   */
  async find(
    account: Pick<ProviderAccount, 'id' | 'platformId' | 'merchantId'>,
    calendar: Calendar,
    assertClaimed: AssertClaimed,
  ): Promise<void> {
    const { pool, clock } = this;
    const { id, platformId, merchantId } = account;
    const newestRead = newestReadDay(clock.now(), calendar);
    const seen = await this.seenMorning(id, calendar);
    const mark = await pool.query<{ day: string | null }>(READ_MARK, [id]);
    const firstDay = mark.rows[0]?.day ?? null;
    if (firstDay === null || seen === null) return;
    const end = earlierOf(dayFrom(newestRead, -1), seen);
    const days = await pool.query<{ day: string }>(DAYS, [id, firstDay, end]);
    for (const { day } of days.rows) {
      const values = [id, day, platformId, merchantId, clock.now(), end];
      await this.inChunks(OVERDUE_OF_DAY, values, assertClaimed);
    }
    await this.inChunks(CLOSE_OVERDUE, [id, clock.now()], assertClaimed);
    const settled = earlierOf(dayFrom(newestRead, -OVERLAP_DAYS), end);
    await pool.query(WRITE_MARK, [id, settled, firstDay, OVERLAP_DAYS]);
  }

  /** The last morning whose payouts are all recorded; null if there is no such morning yet. */
  private async seenMorning(accountId: string, calendar: Calendar): Promise<string | null> {
    const { rows } = await this.pool.query<{ at: string | null }>(LAST_LIST_READ, [accountId]);
    const at = rows[0]?.at ?? null;
    return at === null ? null : seenMorning(parseInstant(at), calendar);
  }

  /** Repeats the statement in chunks until it changes no more rows. */
  private async inChunks(
    text: string,
    values: readonly unknown[],
    assertClaimed: AssertClaimed,
  ): Promise<void> {
    const { pool, chunkRows } = this;
    for (let changed: number | null = chunkRows; changed === chunkRows;) {
      ({ rowCount: changed } = await pool.query(text, [...values, chunkRows]));
      await assertClaimed();
    }
  }
}
