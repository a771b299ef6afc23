import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import type { PaymentStatus } from '#payment';
import { Allow } from '../access/allow.js';
import { Audit, AuditedBy, type AuditOrigin } from '../audit/audit.js';
import { Answers } from '../shared/docs.js';
import { sendCsv } from '../shared/export.js';
import { FlagFilter, IdFilter, InstantFilter, OneOf } from '../shared/filters.js';
import { type ListSpec, readAll, readPage } from '../shared/list-query.js';
import { limitOf, PageDto } from '../shared/page.dto.js';

const PAYMENT_STATUSES = [
  'requested', 'rejected', 'open', 'processing', 'authorized', 'to_capture', 'capture_sent',
  'captured', 'canceled', 'expired', 'returned',
] as const satisfies readonly PaymentStatus[];

/** Which payments to list, newest first. */
class PaymentFilter extends PageDto {
  @OneOf(PAYMENT_STATUSES)
  status?: (typeof PAYMENT_STATUSES)[number];

  @IdFilter()
  platformId?: string;

  @IdFilter()
  accountId?: string;

  @IdFilter()
  orderId?: string;

  @IdFilter("The provider's (`pi_…`).")
  intentId?: string;

  @FlagFilter('Only those with a call of unknown outcome.')
  unknown?: boolean;

  @FlagFilter('Only those that were disputed.')
  disputed?: boolean;

  @FlagFilter('Only those of which the provider showed a contradiction.')
  mismatched?: boolean;

  @FlagFilter('Only those with a refund that was not made, and waits for somebody.')
  unmadeRefunds?: boolean;

  @InstantFilter('Requested then or later.')
  from?: string;

  @InstantFilter('Requested before.')
  to?: string;
}

class PaymentItem {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  orderId!: string;

  @ApiProperty({ enum: PAYMENT_STATUSES })
  status!: string;

  @ApiProperty()
  platformId!: string;

  @ApiProperty()
  accountId!: string;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  amountMinor!: number;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  refundedMinor!: number;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ type: String, nullable: true, description: "The provider's." })
  intentId!: string | null;

  @ApiProperty({ type: String, isArray: true, description: 'Calls of unknown outcome.' })
  unknown!: readonly string[];

  @ApiProperty({
    type: String, isArray: true,
    description: 'Requests whose refund was not made: issue it again, or give it up.',
  })
  unmadeRefunds!: readonly string[];

  @ApiProperty()
  disputed!: boolean;

  @ApiProperty()
  mismatched!: boolean;

  @ApiProperty({ format: 'date-time' })
  requestedAt!: string;
}

class PaymentPage {
  @ApiProperty({ type: PaymentItem, isArray: true })
  items!: readonly PaymentItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const PAYMENTS: ListSpec = {
  from: 'payment_list',
  select: `payment_id AS id, order_id AS "orderId", status, platform_id AS "platformId",
    account_id AS "accountId", amount_minor::float8 AS "amountMinor",
    refunded_minor::float8 AS "refundedMinor", currency, intent_id AS "intentId", unknown,
    unmade_refunds AS "unmadeRefunds", disputed, mismatched, requested_at AS "requestedAt"`,
  at: 'requested_at',
  id: 'payment_id',
  filters: {
    status: 'status = ?', platformId: 'platform_id = ?', accountId: 'account_id = ?',
    orderId: 'order_id = ?', intentId: 'intent_id = ?',
    unknown: { true: `unknown <> '{}'` }, disputed: { true: 'disputed' },
    mismatched: { true: 'mismatched' }, unmadeRefunds: { true: `unmade_refunds <> '{}'` },
    from: 'requested_at >= ?', to: 'requested_at < ?',
  },
};

const COLUMNS = [
  'id', 'orderId', 'status', 'platformId', 'accountId', 'amountMinor', 'refundedMinor', 'currency',
  'intentId', 'unknown', 'unmadeRefunds', 'disputed', 'mismatched', 'requestedAt',
] as const;

@ApiTags('Payments')
@Controller('v1')
export class PaymentsController {
  constructor(@Inject(Pool) private readonly pool: Pool, private readonly audit: Audit) {}

  @Get('payments')
  @Allow('viewer')
  @ApiOperation({ summary: 'Payments, newest first', operationId: 'listPayments' })
  @Answers({ status: 200, type: PaymentPage, description: 'A page of payments.' }, 422)
  list(@Query() filter: PaymentFilter): Promise<PaymentPage> {
    const { cursor } = filter;
    return readPage(this.pool, PAYMENTS, { filters: filter, cursor, limit: limitOf(filter) });
  }

  @Get('payments.csv')
  @Allow('viewer')
  @ApiOperation({ summary: 'Payments as CSV', operationId: 'exportPayments' })
  @Answers({ status: 200, mediaTypes: ['text/csv'], description: 'All that fits.' }, 422)
  async csv(
    @Query() filter: PaymentFilter, @AuditedBy() origin: AuditOrigin, @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.audit.record(origin, { action: 'payments.exported', subject: null });
    await sendCsv<PaymentItem>(reply, 'payments', COLUMNS, readAll(this.pool, PAYMENTS, filter));
  }
}
