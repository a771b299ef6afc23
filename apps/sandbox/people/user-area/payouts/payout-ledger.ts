import { Injectable } from '@nestjs/common';
import type { Currency } from '#kernel';
import { type ListQuery, readPage } from '../../../api/lists.js';
import type { PayoutRow } from '../../../collection/payouts/payout-resource.js';
import type { PayoutLineRow } from '../../../money/payout-line-row.js';
import { type AccountScope, scopeValues } from '../../../storage/account-scope.js';
import { Database } from '../../../storage/database.js';

/** The amounts of one currency that wait for the next payout; refunds and disputes are deducted. */
export interface Waiting {
  readonly currency: Currency;
  readonly count: number;
  /** The amount in minor units before fees and VAT; it may be negative. */
  readonly amount: number;
}

const LIST = { name: 'area:payouts', select: 'SELECT t.* FROM payouts t' };
const LINES = {
  name: 'area:payout-lines',
  text: `SELECT * FROM payout_lines WHERE payout_id = $1
         ORDER BY kind, created_at DESC, seq DESC OFFSET $2 LIMIT $3`,
};
const WAITING = {
  name: 'area:waiting',
  text: `SELECT currency, count(*) AS count,
                sum(CASE WHEN kind IN ('payment', 'dispute_reversal') THEN amount ELSE -amount END)::bigint AS amount
         FROM payout_lines WHERE payout_id IS NULL AND account_id = $1 AND live = $2
         GROUP BY currency ORDER BY currency`,
};

/** The User Area's queries on payouts. */
@Injectable()
export class PayoutLedger {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async page(scope: AccountScope, query: ListQuery) {
    return readPage<PayoutRow>(this.database, LIST, scope, query);
  }

  async waiting(scope: AccountScope): Promise<readonly Waiting[]> {
    return this.database.query<Waiting>(WAITING, scopeValues(scope));
  }

  /**
   * Returns the lines of a payout by kind, newest first. Reads one line more than the limit, to
   * determine whether there are more.
   */
  async lines(payoutId: string, start: number, limit: number): Promise<PayoutLineRow[]> {
    return this.database.query<PayoutLineRow>(LINES, [payoutId, start, limit + 1]);
  }
}
