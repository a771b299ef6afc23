import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS, type Instant, plusMs } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import type { DueSource } from '../../clock/due-work.js';
import { nextDueOf } from '../../storage/next-due.js';
import { Store } from '../../storage/store.js';
import { Billing } from './billing.js';
import type { SubscriptionRow } from './subscription-resource.js';

/** Subscriptions that one transaction moves: it holds their locks for some tenths of a second. */
const CHUNK = 100;

const DUE = {
  name: 'due:subscriptions',
  text: `SELECT id FROM subscriptions WHERE due_at <= $1 ORDER BY due_at, id LIMIT ${CHUNK}`,
};
/** Looks again under the locks: a change or a cancel may have been first. */
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

/** What the clock does to subscriptions: the next period, another try, a debit that came back. */
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
        this.logger.warn({ err: error }, 'subscriptions are moved one by one');
        for (const id of ids) await this.moveAlone(id, upTo);
      }
    }
  }

  async settled(): Promise<void> {
    // `begin` leaves nothing going on.
  }

  private async move(ids: readonly string[], upTo: Instant): Promise<void> {
    await this.store.decide(async (tx, unit) => {
      const rows = await tx.query<DueRow>(STILL_DUE, [ids, upTo]);
      // Side by side, so that what each has to read travels together; to the end of all of them,
      // because none may ask anything once the transaction is over.
      const moves = await Promise.allSettled(
        rows.map((row) => this.billing.due(tx, unit, row, row.due_at)),
      );
      for (const move of moves) if (move.status === 'rejected') throw move.reason;
    });
  }

  /** One that cannot be moved is tried again a day later, so that it keeps nobody else waiting. */
  private async moveAlone(id: string, upTo: Instant): Promise<void> {
    try {
      await this.move([id], upTo);
    } catch (error) {
      this.logger.error({ err: error, subscription: id }, 'a subscription is set aside for a day');
      await this.store.database.query(SET_ASIDE, [id, plusMs(upTo, DAY_MS)]);
    }
  }
}
