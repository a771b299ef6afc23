import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS, type Instant, plusMs } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import type { DueSource } from '../../clock/due-work.js';
import { nextDueOf } from '../../storage/next-due.js';
import { Store } from '../../storage/store.js';
import { Billing } from './billing.js';
import type { SubscriptionRow } from './subscription-resource.js';

/**
 * Maximum number of subscriptions per transaction, so that locks are held for some tenths of a
 * second only.
 */
const CHUNK = 100;

const DUE = {
  name: 'due:subscriptions',
  text: `SELECT id FROM subscriptions WHERE due_at <= $1 ORDER BY due_at, id LIMIT ${CHUNK}`,
};
/**
 * Reads the due subscriptions again under the locks: a concurrent PATCH or cancellation may have
 * changed them.
 */
const STILL_DUE = {
  name: 'due:subscriptions-still',
  text: `SELECT * FROM subscriptions WHERE id = ANY($1) AND due_at <= $2
         ORDER BY id FOR NO KEY UPDATE`,
};
const SET_ASIDE = {
  name: 'due:subscription-aside',
  text: 'UPDATE subscriptions SET due_at = $2 WHERE id = $1 AND due_at < $2',
};

interface DueRow extends SubscriptionRow {
  readonly due_at: Instant;
}

/** Executes the timed steps of subscriptions: renewals, retries, and checks for returned debits. */
@Injectable()
export class DueSubscriptions implements DueSource {
  readonly name = 'subscriptions';

  constructor(
    private readonly store: Store,
    private readonly billing: Billing,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  nextDue(): Promise<Instant | null> {
    return nextDueOf(this.store.database, 'subscriptions');
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const due = await this.store.database.query<Pick<SubscriptionRow, 'id'>>(DUE, [upTo]);
      if (due.length === 0) return;
      const ids = due.map(({ id }) => id);
      try {
        await this.move(ids, upTo);
      } catch (error) {
        this.logger.warn(
          { err: error },
          'subscriptions are billed one by one after a failed batch',
        );
        for (const id of ids) await this.billAlone(id, upTo);
      }
    }
  }

  async settled(): Promise<void> {
    // Nothing to wait for, because `begin` resolves only when its work is done.
  }

  private async move(ids: readonly string[], upTo: Instant): Promise<void> {
    await this.store.decide(async (tx, unit) => {
      const rows = await tx.query<DueRow>(STILL_DUE, [ids, upTo]);
      // Runs the billing of the subscriptions concurrently, so that their reads are sent together;
      // awaits all of them, because no query may run after the transaction ends.
      const moves = await Promise.allSettled(
        rows.map((row) => this.billing.due(tx, unit, row, row.due_at)),
      );
      for (const move of moves) if (move.status === 'rejected') throw move.reason;
    });
  }

  /**
   * Bills one subscription. A subscription whose billing throws is retried a day later, so that it
   * does not delay the others.
   */
  private async billAlone(id: string, upTo: Instant): Promise<void> {
    try {
      await this.move([id], upTo);
    } catch (error) {
      this.logger.error(
        { err: error, subscription: id },
        'a subscription could not be billed; retrying in one day',
      );
      await this.store.database.query(SET_ASIDE, [id, plusMs(upTo, DAY_MS)]);
    }
  }
}
