import type { Clock, Instant } from '#kernel';
import { errorKind, type EventStore } from '#log';
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

/** What became of one row of the history. */
export type RowOutcome =
  /** Told to its merchant. */
  | 'observed'
  /** The merchant had it already. */
  | 'known'
  /** No merchant has this company. */
  | 'unclaimed'
  /** It cannot be read or taken in: it is no row as we know them, or a bug keeps it out. */
  | 'failed';

export interface HistoryRowsParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Steps of one batch share a commit. */
const BATCH_ROWS = 32;

/** Takes rows of the status history to the merchants whose companies they are of. */
export class HistoryRows {
  constructor(private readonly parts: HistoryRowsParts) {}

  /** Rejects when the database is away: then the same rows are taken again. */
  async observe(
    mode: MerchantMode,
    rows: readonly StatusChangeFacts[],
    readAt: Instant,
  ): Promise<readonly RowOutcome[]> {
    const outcomes: RowOutcome[] = [];
    for (let first = 0; first < rows.length; first += BATCH_ROWS) {
      const batch = rows.slice(first, first + BATCH_ROWS);
      const ids = batch.map(({ companyId }) => companyId);
      const holders = await this.parts.store.holdersOf(companyScope(mode), ids);
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

  /** A row that cannot be taken in is no reason to keep the others waiting. */
  private async take(
    merchantId: string,
    row: StatusChangeFacts,
    readAt: Instant,
  ): Promise<RowOutcome> {
    try {
      return await this.tell(merchantId, row, readAt);
    } catch (error) {
      if (errorKind(error) === 'transient') throw error;
      const { companyId, day } = row;
      this.parts.logger.error(
        { merchantId, companyId, day, err: error },
        'a status change cannot be taken in',
      );
      return 'failed';
    }
  }

  /** What the merchant has is read anew: of a remembered one nobody knows what came since. */
  private async tell(
    merchantId: string,
    row: StatusChangeFacts,
    readAt: Instant,
  ): Promise<RowOutcome> {
    const { store, clock } = this.parts;
    const observation = observationOfRow(row, readAt);
    const { state: merchant } = await store.load(merchantAggregate, merchantId);
    if (isKnownChange(merchant, observation)) return 'known';
    const metadata = {
      correlationId: merchantId,
      causationId: `history ${row.day}`,
      actor: 'provider',
      traceparent: null,
    };
    await store.step(metadata, (step) =>
      observeCompanyStatus(step, merchantId, observation, clock.now()),
    );
    return 'observed';
  }
}
