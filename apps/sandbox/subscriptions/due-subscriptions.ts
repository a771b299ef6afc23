import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import type { DueSource } from '../clock/due-work.js';
import { lockRow } from '../database/by-id.js';
import { Store } from '../database/store.js';
import { Billing } from './billing.js';
import { type SubscriptionRow, SUBSCRIPTIONS } from './subscription-row.js';

const CHUNK = 100;

const NEXT = {
  name: 'due:next-subscription',
  text: 'SELECT min(due_at) AS at FROM subscriptions WHERE due_at IS NOT NULL',
};
const DUE = {
  name: 'due:subscriptions',
  text: `SELECT id, live FROM subscriptions WHERE due_at <= $1 ORDER BY due_at, id LIMIT ${CHUNK}`,
};

/** What the clock does to subscriptions: the next period, another try, a debit that came back. */
@Injectable()
export class DueSubscriptions implements DueSource {
  readonly name = 'subscriptions';

  constructor(
    private readonly store: Store,
    private readonly billing: Billing,
  ) {}

  async nextDue(): Promise<Instant | null> {
    const [row] = await this.store.database.query<{ at: Instant | null }>(NEXT);
    return row?.at ?? null;
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const due = await this.store.database.query<Pick<SubscriptionRow, 'id' | 'live'>>(
        DUE, [upTo],
      );
      if (due.length === 0) return;
      for (const { id, live } of due) await this.move(id, live, upTo);
    }
  }

  async settled(): Promise<void> {
    // `begin` leaves nothing going on.
  }

  /** Looks again under the lock: a change or a cancel may have been first. */
  private async move(id: string, live: boolean, upTo: Instant): Promise<void> {
    await this.store.decide(async (tx, unit) => {
      const row = await lockRow(tx, SUBSCRIPTIONS, live, id);
      if (row === null || row.due_at === null || row.due_at > upTo) return;
      await this.billing.due(tx, unit, row, row.due_at);
    });
  }
}
