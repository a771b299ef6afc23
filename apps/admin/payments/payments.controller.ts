import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { domainEvent, EventStore } from '#log';
import { fold, Rejection } from '#kernel';
import { merchantAggregate } from '#onboarding';
import { orderAggregate } from '#order';
import { exists, isMade, type Payment, paymentAggregate, type PaymentEvent } from '#payment';
import { PAYOUT_STATUSES } from '#payout';
import { Field, ListOf, Nullable, OneOf } from '#platform';
import { Allow } from '../access/allow.js';
import { businessTimeOf } from '../entities/business-times.js';
import { eventsUntil, VersionDto } from '../entities/version.js';
import { Answers } from '../shared/docs.js';
import { payoutsAt } from './payouts-at.js';

/** A payout that contains money of a payment. */
class PayoutOfPayment {
  @Field('The id of the payout.')
  payoutId!: string;

  @OneOf(PAYOUT_STATUSES, 'The status of the payout.')
  status!: (typeof PAYOUT_STATUSES)[number];

  @Field('The day of the payout, YYYY-MM-DD.')
  date!: string;
}

/**
 * The data of a payment that its own events do not contain: its order, its merchant, its fees and
 * its payouts.
 */
class PaymentSummary {
  @Field('The platform’s reference of the order.')
  reference!: string;

  @Field('The merchant that is paid.')
  merchantId!: string;

  @Nullable(String, 'The platform’s name for the merchant; null: not onboarded by this service.')
  merchantName!: string | null;

  @Nullable('integer', 'The fees in the ledger, in minor units, without VAT; null: no entry yet.')
  feesMinor!: number | null;

  @Nullable(
    'integer',
    'What the provider owes the merchant for the payment, in minor units, before VAT on the fees; ' +
      'null: no entry yet.',
  )
  netMinor!: number | null;

  @ListOf(PayoutOfPayment, 'The payouts that contain money of the payment, oldest first.')
  payouts!: readonly PayoutOfPayment[];
}

/**
 * The sums of the payment's ledger entries (`$2`: the ids of its objects; `$4`: the events that
 * booked them, null for all). The fees and the net amount are null without an entry.
 */
const MONEY = `
  SELECT sum(fees_minor)::float8 AS "feesMinor", sum(provider_minor)::float8 AS "netMinor"
    FROM ledger_journal
   WHERE account_id = $1
     AND (kind IN ('payment', 'refund', 'dispute', 'dispute_reversal') AND object_id = ANY ($2)
          AND stream_id = $3
          OR (stream_id, kind, object_id) IN (
            SELECT l.payout_id, l.kind || '_correction', l.object_id FROM payout_lines l
             WHERE l.account_id = $1 AND l.journal_id = ANY ($2)
               AND l.kind IN ('payment', 'refund', 'dispute', 'dispute_reversal')))
     AND ($4::uuid[] IS NULL OR event_id = ANY ($4))`;

const PAYOUTS = `
  SELECT p.payout_id AS "payoutId", p.status, p.date::text AS date
    FROM payout_list p
   WHERE p.payout_id IN (
     SELECT l.payout_id FROM payout_lines l
      WHERE l.account_id = $1 AND l.kind IN ('payment', 'refund', 'dispute', 'dispute_reversal')
        AND l.journal_id = ANY ($2))
   ORDER BY p.date, p.payout_id`;

/** The ids under which the ledger contains the payment and its captures, refunds and disputes. */
const ledgerIdsOf = (paymentId: string, payment: Payment): readonly string[] =>
  exists(payment)
    ? [
        paymentId,
        ...payment.captures.flatMap(({ providerCaptureId: id }) => (id === undefined ? [] : [id])),
        ...payment.refunds.filter(isMade).map(({ refundId }) => refundId),
        ...payment.disputes.map(({ disputeId }) => disputeId),
      ]
    : [];

const notFound = (): Rejection => new Rejection('entity_not_found', 'not found');

@ApiTags('Payments')
@Controller('v1/payments')
export class PaymentsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly store: EventStore,
  ) {}

  @Get(':id/summary')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'The order, merchant, fees and payouts of a payment, now or after an earlier event',
  })
  @Answers({ type: PaymentSummary, description: 'The summary.' }, 404, 422)
  async getPaymentSummary(
    @Param('id') id: string,
    @Query() { version }: VersionDto,
  ): Promise<PaymentSummary> {
    const stream = { streamType: 'payment', streamId: id } as const;
    const events = await this.store.readStream(stream, 0, eventsUntil(version));
    const payment = fold(paymentAggregate.decider, events.map(domainEvent<PaymentEvent>));
    const last = events.at(-1);
    if (last === undefined || payment.status === 'none') throw notFound();
    const { orderId, accountId } = payment.terms;
    const ids = ledgerIdsOf(id, payment);
    const eventIds = version === undefined ? null : events.map(({ eventId }) => eventId);
    const [order, money, { rows: payouts }] = await Promise.all([
      this.store.load(orderAggregate, orderId),
      this.pool.query<Pick<PaymentSummary, 'feesMinor' | 'netMinor'>>(MONEY, [
        accountId,
        ids,
        id,
        eventIds,
      ]),
      this.pool.query<PayoutOfPayment>(PAYOUTS, [accountId, ids]),
    ]);
    if (order.state.status === 'not_placed') throw notFound();
    const { reference, merchantId } = order.state.terms;
    const merchant = (await this.store.load(merchantAggregate, merchantId)).state;
    return {
      reference,
      merchantId,
      merchantName: 'terms' in merchant ? merchant.terms.reference : null,
      feesMinor: money.rows[0]?.feesMinor ?? null,
      netMinor: money.rows[0]?.netMinor ?? null,
      payouts:
        version === undefined
          ? payouts
          : await payoutsAt(this.store, payouts, businessTimeOf(last)),
    };
  }
}
