import type { Clock, Instant } from '#kernel';
import { errorKind, type EventStore, untraced } from '#log';
import {
  companyScope,
  isKnownChange,
  merchantAggregate,
  type MerchantMode,
  observationOfRow,
  observeCompanyStatus,
} from '#onboarding';
import type { StatusChangeFacts } from '#psp';
import type { Logger } from '#platform';

/**
 * The results of one row of the status history. `observed`: the row was recorded for its merchant.
 * `known`: the merchant already had this status change. `unclaimed`: no merchant has claimed this
 * company. `failed`: the row was unreadable, or could not be recorded because of a bug.
 */
export const ROW_OUTCOMES = ['observed', 'known', 'unclaimed', 'failed'] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** Rows per batch; the events of a batch share a commit. */
const BATCH_ROWS = 32;

/** Records rows of the status history for the merchants of their companies. */
export class HistoryRows {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Rejects when the database is unavailable, so that the caller reads the same rows again. */
  async observe(
    mode: MerchantMode,
    rows: readonly StatusChangeFacts[],
    readAt: Instant,
  ): Promise<readonly RowOutcome[]> {
    const outcomes: RowOutcome[] = [];
    for (let first = 0; first < rows.length; first += BATCH_ROWS) {
      const batch = rows.slice(first, first + BATCH_ROWS);
      const ids = batch.map(({ companyId }) => companyId);
      const holders = await this.store.holdersOf(companyScope(mode), ids);
      outcomes.push(
        ...(await Promise.all(
          batch.map((row) => {
            const merchantId = holders.get(row.companyId);
            return merchantId === undefined ? 'unclaimed' : this.take(merchantId, row, readAt);
          }),
        )),
      );
    }
    return outcomes;
  }

  /** Records one row; a failure does not delay the other rows. */
  private async take(
    merchantId: string,
    row: StatusChangeFacts,
    readAt: Instant,
  ): Promise<RowOutcome> {
    try {
      return await this.record(merchantId, row, readAt);
    } catch (error) {
      if (errorKind(error) === 'transient') throw error;
      const { companyId, day } = row;
      this.logger.error({ merchantId, companyId, day, err: error }, 'a status cannot be recorded');
      return 'failed';
    }
  }

  /** The merchant is loaded from the event log, because a cached state may lack recent events. */
  private async record(
    merchantId: string,
    row: StatusChangeFacts,
    readAt: Instant,
  ): Promise<RowOutcome> {
    const observation = observationOfRow(row, readAt);
    const { state: merchant } = await this.store.load(merchantAggregate, merchantId);
    if (isKnownChange(merchant, observation)) return 'known';
    const metadata = untraced(merchantId, `history ${row.day}`, 'provider');
    await this.store.step(metadata, (step) =>
      observeCompanyStatus(step, merchantId, observation, this.clock.now()),
    );
    return 'observed';
  }
}
