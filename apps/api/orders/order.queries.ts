import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../auth/key-verifier.js';
import { Tenancy } from '../shared/tenancy.js';
import { orderAnswer, type OrderAnswer } from './order-answer.js';

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
