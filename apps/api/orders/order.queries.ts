import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { Pool } from 'pg';
import type { Caller } from '../auth/key-verifier.js';
import { isId, isInstant, PAGE, PageFilter, pageOf, positionOf } from '../shared/page.js';
import { Tenancy } from '../shared/tenancy.js';
import { ORDER_STATUSES, orderAnswer, type OrderAnswer } from './order-answer.js';

/** Which orders to list, newest first. */
export class OrderFilter extends PageFilter {
  @ApiPropertyOptional({ enum: ORDER_STATUSES })
  @IsOptional()
  @IsIn(ORDER_STATUSES)
  status?: (typeof ORDER_STATUSES)[number];

  @ApiPropertyOptional()
  @IsOptional()
  @Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  reference?: string;
}

class OrderListItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: ORDER_STATUSES })
  status!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty()
  reference!: string;

  @ApiProperty({ type: 'integer' })
  amountMinor!: number;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ type: String, nullable: true })
  paymentId!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

/** A page of orders. It follows the orders' own state a moment later. */
export class OrderPage {
  @ApiProperty({ type: OrderListItem, isArray: true })
  items!: readonly OrderListItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

export class GetOrder extends Query<OrderAnswer> {
  constructor(
    readonly caller: Caller,
    readonly orderId: string,
  ) {
    super();
  }
}

@QueryHandler(GetOrder)
export class GetOrderHandler implements IQueryHandler<GetOrder> {
  constructor(private readonly tenancy: Tenancy) {}

  async execute({ caller, orderId }: GetOrder): Promise<OrderAnswer> {
    const { order, payment } = await this.tenancy.orderWithPayment(caller, orderId);
    return orderAnswer(orderId, order, payment);
  }
}

export class ListOrders extends Query<OrderPage> {
  constructor(
    readonly caller: Caller,
    readonly filter: OrderFilter,
  ) {
    super();
  }
}

interface OrderRow extends Omit<OrderListItem, 'createdAt' | 'amountMinor'> {
  readonly amountMinor: string;
  readonly placedAt: Date;
}

const itemOf = ({ placedAt, amountMinor, ...row }: OrderRow): OrderListItem => ({
  ...row, amountMinor: Number(amountMinor), createdAt: placedAt.toISOString(),
});

@QueryHandler(ListOrders)
export class ListOrdersHandler implements IQueryHandler<ListOrders> {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async execute({ caller, filter }: ListOrders): Promise<OrderPage> {
    const limit = filter.limit ?? PAGE;
    const { rows } = await this.pool.query<OrderRow>({
      text: `SELECT order_id AS id, status, merchant_id AS "merchantId", reference,
                    amount_minor AS "amountMinor", currency, payment_id AS "paymentId",
                    placed_at AS "placedAt"
               FROM order_list
              WHERE platform_id = $1
                AND ($2::text IS NULL OR status = $2)
                AND ($3::text IS NULL OR reference = $3)
                AND ($4::timestamptz IS NULL OR (placed_at, order_id) < ($4, $5))
              ORDER BY placed_at DESC, order_id DESC
              LIMIT $6`,
      values: [
        caller.platformId, filter.status ?? null, filter.reference ?? null,
        ...positionOf(filter.cursor, isInstant, isId), limit + 1,
      ],
    });
    return pageOf(rows, limit, itemOf, ({ placedAt, id }) => [placedAt.toISOString(), id]);
  }
}
