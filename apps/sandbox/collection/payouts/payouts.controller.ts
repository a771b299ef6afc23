import { Controller, Get, Param, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { listQuery, type ListSource, readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { type DisputeRow, DISPUTES } from '../disputes/dispute-resource.js';
import { fullPayments } from '../payments/aggregate.js';
import type { FullPayment } from '../payments/payment-resource.js';
import { PaymentResources } from '../payments/payment-resources.js';
import { type RefundRow, REFUNDS } from '../refunds/refund-resource.js';
import { PAYOUTS } from './payout-resource.js';
import { Payouts } from './payouts.service.js';

/**
 * Selects the payouts with a line of the payment, of its refunds or of its dispute. Refunds and
 * disputes are often in later payouts than the payment.
 */
const LIST_OF_PAYMENT = {
  name: 'payouts-of-payment',
  select: `SELECT t.* FROM (SELECT DISTINCT p.*, l.payment_id
             FROM payout_lines l JOIN payouts p ON p.id = l.payout_id) t`,
};
const PAYMENT_LINES = {
  name: 'payout-payments',
  select: 'SELECT t.* FROM payments t',
  complete: fullPayments,
};
const REFUND_LINES = { name: 'payout-refunds', select: 'SELECT t.* FROM refunds t' };
const OF_DISPUTE = `d.id, d.account_id, d.live, d.status, d.type, d.payment_id, d.intent_id,
       d.order_id, d.currency, d.response, d.created_at`;
/**
 * A dispute is listed in the payout that deducted its amount. A won dispute is also listed in the
 * payout that returns the amount, with a negative amount and no fee. Each half of the UNION is read
 * in the order of the list, from an index.
 */
const DISPUTE_LINES = {
  name: 'payout-disputes',
  select: `SELECT t.* FROM (
    SELECT ${OF_DISPUTE}, d.payout_id, d.fee, d.seq, d.amount FROM disputes d
     UNION ALL
    SELECT ${OF_DISPUTE}, l.payout_id, l.fee, -l.seq, -l.amount
      FROM payout_lines l JOIN disputes d ON d.id = l.dispute_id
     WHERE l.kind = 'dispute_reversal') t`,
};

export const payoutLines = listQuery();

/** Serves payouts read-only: the API neither creates nor changes payouts. */
@Controller('v2/payouts')
export class PayoutsController {
  constructor(
    private readonly payouts: Payouts,
    private readonly resources: PaymentResources,
    private readonly database: Database,
  ) {}

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const { payment } = query as { readonly payment?: unknown };
    return listPage(
      this.database,
      PAYOUTS,
      scope,
      query,
      payment === undefined ? PAYOUTS : LIST_OF_PAYMENT,
    );
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return PAYOUTS.wire(await this.payouts.read(scope, pathId('pout', id)));
  }

  @Get(':id/payments')
  async payments(@InScope() scope: AccountScope, @Param('id') id: string, @Query() query: unknown) {
    const { rows, range } = await this.lines<FullPayment>(PAYMENT_LINES, scope, id, query);
    return { payments: rows.map((row) => this.resources.payment(row)), range };
  }

  @Get(':id/refunds')
  async refunds(@InScope() scope: AccountScope, @Param('id') id: string, @Query() query: unknown) {
    const { rows, range } = await this.lines<RefundRow>(REFUND_LINES, scope, id, query);
    return { refunds: rows.map(REFUNDS.wire), range };
  }

  @Get(':id/disputes')
  async disputes(@InScope() scope: AccountScope, @Param('id') id: string, @Query() query: unknown) {
    const { rows, range } = await this.lines<DisputeRow>(DISPUTE_LINES, scope, id, query);
    return { disputes: rows.map(DISPUTES.wire), range };
  }

  private async lines<Row>(source: ListSource, scope: AccountScope, id: string, query: unknown) {
    const { id: payout_id } = await this.payouts.read(scope, pathId('pout', id));
    const asked = payoutLines.read({ ...(query as object) });
    return readPage<Row>(this.database, source, scope, asked, { payout_id });
  }
}
