import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsIn, IsISO8601, IsOptional, Matches } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import type { OrderStatus } from '#order';
import { Allow } from '../access/allow.js';
import { Audit, AuditedBy, type AuditOrigin } from '../audit/audit.js';
import { Answers } from '../shared/docs.js';
import { sendCsv } from '../shared/export.js';
import { type ListSpec, readAll, readPage } from '../shared/list-query.js';
import { limitOf, PageDto } from '../shared/page.dto.js';

const ORDER_STATUSES = [
  'open', 'authorized', 'closing', 'paid', 'canceled', 'expired', 'failed',
] as const satisfies readonly OrderStatus[];

const ID = /^[\w.:-]{1,100}$/;
const NOT_AN_ID = { message: '$property must be 1 to 100 letters, digits, dots, colons, _ or -' };

/** Which orders to list, newest first. */
class OrderFilter extends PageDto {
  @ApiPropertyOptional({ enum: ORDER_STATUSES })
  @IsOptional()
  @IsIn(ORDER_STATUSES)
  status?: (typeof ORDER_STATUSES)[number];

  @ApiPropertyOptional()
  @IsOptional()
  @Matches(ID, NOT_AN_ID)
  platformId?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @Matches(ID, NOT_AN_ID)
  merchantId?: string;

  @ApiPropertyOptional({ description: "The platform's own." })
  @IsOptional()
  @Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  reference?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Placed then or later.' })
  @IsOptional()
  @IsISO8601({ strict: true })
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Placed before.' })
  @IsOptional()
  @IsISO8601({ strict: true })
  to?: string;
}

class OrderItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: ORDER_STATUSES })
  status!: string;

  @ApiProperty()
  platformId!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty()
  reference!: string;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  amountMinor!: number;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  refundedMinor!: number;

  @ApiProperty({
    type: 'integer',
    description: 'By chargebacks, returned debits and payments that never came; in minor units.',
  })
  takenBackMinor!: number;

  @ApiProperty({ type: String, nullable: true })
  paymentId!: string | null;

  @ApiProperty({ format: 'date-time' })
  placedAt!: string;
}

class OrderPage {
  @ApiProperty({ type: OrderItem, isArray: true })
  items!: readonly OrderItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const ORDERS: ListSpec = {
  from: 'order_list',
  select: `order_id AS id, status, platform_id AS "platformId", merchant_id AS "merchantId",
    reference, amount_minor::float8 AS "amountMinor", currency,
    refunded_minor::float8 AS "refundedMinor", taken_back_minor::float8 AS "takenBackMinor",
    payment_id AS "paymentId", placed_at AS "placedAt"`,
  at: 'placed_at',
  id: 'order_id',
  filters: {
    status: 'status = ?', platformId: 'platform_id = ?', merchantId: 'merchant_id = ?',
    reference: 'reference = ?', from: 'placed_at >= ?', to: 'placed_at < ?',
  },
};

const COLUMNS = [
  'id', 'status', 'platformId', 'merchantId', 'reference', 'amountMinor', 'currency',
  'refundedMinor', 'takenBackMinor', 'paymentId', 'placedAt',
] as const;

@ApiTags('Orders')
@Controller('v1')
export class OrdersController {
  constructor(@Inject(Pool) private readonly pool: Pool, private readonly audit: Audit) {}

  @Get('orders')
  @Allow('viewer')
  @ApiOperation({ summary: 'Orders, newest first', operationId: 'listOrders' })
  @Answers({ status: 200, type: OrderPage, description: 'A page of orders.' }, 422)
  list(@Query() filter: OrderFilter): Promise<OrderPage> {
    const { cursor } = filter;
    return readPage(this.pool, ORDERS, { filters: filter, cursor, limit: limitOf(filter) });
  }

  @Get('orders.csv')
  @Allow('viewer')
  @ApiOperation({ summary: 'Orders as CSV', operationId: 'exportOrders' })
  @Answers({ status: 200, mediaTypes: ['text/csv'], description: 'All that fits.' }, 422)
  async csv(
    @Query() filter: OrderFilter, @AuditedBy() origin: AuditOrigin, @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.audit.record(origin, { action: 'orders.exported', subject: null });
    await sendCsv<OrderItem>(reply, 'orders', COLUMNS, readAll(this.pool, ORDERS, filter));
  }
}
