import { Controller, Get, Param, Query } from '@nestjs/common';
import type { AccountScope } from '../account-scope.js';
import { Database } from '../database/database.js';
import type { DisputeRow } from '../disputes/dispute-row.js';
import { pathId } from '../http/ids.js';
import { listQuery, type ListSource, readPage } from '../http/lists.js';
import { InScope } from '../http/request-scope.js';
import { fullPayments } from '../payments/aggregate.js';
import type { FullPayment } from '../payments/payment-row.js';
import type { RefundRow } from '../refunds/refund-row.js';
import { Resources } from '../resources.js';
import type { PayoutRow } from './payout-row.js';
import { Payouts } from './payouts.service.js';

const LIST = { name: 'payouts', select: 'SELECT t.* FROM payouts t' };
/** A payment is in one payout, its refunds and its dispute are often in others. */
const LIST_OF_PAYMENT = {
  name: 'payouts-of-payment',
  select: `SELECT t.* FROM (SELECT DISTINCT p.*, l.payment_id
             FROM payout_lines l JOIN payouts p ON p.id = l.payout_id) t`,
};
const PAYMENTS = {
  name: 'payout-payments', select: 'SELECT t.* FROM payments t', complete: fullPayments,
};
const REFUNDS = { name: 'payout-refunds', select: 'SELECT t.* FROM refunds t' };
/**
 * As its line has each: of a dispute that was won, the payout that gives its amount back lists it
 * with that amount as negative, and without a fee.
 */
const DISPUTES = {
  name: 'payout-disputes',
  select: `SELECT t.* FROM (
             SELECT d.id, d.account_id, d.live, d.status, d.type, d.payment_id, d.intent_id,
                    d.order_id, d.currency, d.response, d.created_at, l.payout_id, l.fee, l.seq,
                    CASE l.kind WHEN 'dispute_reversal' THEN -l.amount ELSE l.amount END AS amount
               FROM payout_lines l JOIN disputes d ON d.id = l.dispute_id) t`,
};

export const payoutList = listQuery<{ readonly payment?: string }>({ payment: { type: 'string' } });
export const payoutLines = listQuery();

/** Read only: the clock makes and moves them. */
@Controller('v2/payouts')
export class PayoutsController {
  constructor(
    private readonly payouts: Payouts,
    private readonly resources: Resources,
    private readonly database: Database,
  ) {}

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const { payment: payment_id, ...asked } = payoutList.read({ ...(query as object) });
    const source = payment_id === undefined ? LIST : LIST_OF_PAYMENT;
    const { rows, range } = await readPage<PayoutRow>(
      this.database, source, scope, asked, { payment_id },
    );
    return { payouts: rows.map((row) => this.resources.payout(row)), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return this.resources.payout(await this.payouts.read(scope, pathId('pout', id)));
  }

  @Get(':id/payments')
  async payments(@InScope() scope: AccountScope, @Param('id') id: string, @Query() query: unknown) {
    const { rows, range } = await this.lines<FullPayment>(PAYMENTS, scope, id, query);
    return { payments: rows.map((row) => this.resources.payment(row)), range };
  }

  @Get(':id/refunds')
  async refunds(@InScope() scope: AccountScope, @Param('id') id: string, @Query() query: unknown) {
    const { rows, range } = await this.lines<RefundRow>(REFUNDS, scope, id, query);
    return { refunds: rows.map((row) => this.resources.refund(row)), range };
  }

  @Get(':id/disputes')
  async disputes(@InScope() scope: AccountScope, @Param('id') id: string, @Query() query: unknown) {
    const { rows, range } = await this.lines<DisputeRow>(DISPUTES, scope, id, query);
    return { disputes: rows.map((row) => this.resources.dispute(row)), range };
  }

  private async lines<Row>(
    source: ListSource,
    scope: AccountScope,
    id: string,
    query: unknown,
  ) {
    const { id: payout_id } = await this.payouts.read(scope, pathId('pout', id));
    const asked = payoutLines.read({ ...(query as object) });
    return readPage<Row>(this.database, source, scope, asked, { payout_id });
  }
}
