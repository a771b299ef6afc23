import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Clock } from '#kernel';
import { CLOCK } from '#platform';
import { Allow, CurrentCaller, mustAllow } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, Idempotent, TakesIdempotencyKey } from '../shared/change-request.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { orderIdPipe } from '../shared/id.pipe.js';
import { NoFields } from '../shared/no-fields.js';
import { CaptureOrderDto } from './capture-order.dto.js';
import { OrderAnswer } from './order-answer.js';
import { GetOrder } from './order.queries.js';
import { ChangeOrder } from './orders.js';
import { PageWait, PREFER, PreferredWait } from './page-wait.js';
import { PLACE_ORDER_EXAMPLES, PlaceOrderDto } from './place-order.dto.js';

@ApiTags('Orders')
@Controller('v1/orders')
export class OrdersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pages: PageWait,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @Allow('orders:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Place an order',
    description: 'With a `mandateId`, the key also needs the scope `debits:write`.',
  })
  @ApiHeader(PREFER)
  @ApiBody({ type: PlaceOrderDto, examples: PLACE_ORDER_EXAMPLES })
  @Answers(
    {
      status: 201,
      type: OrderAnswer,
      description:
        'The placed order. With `Prefer: wait`, a repetition shows the order as it is then.',
    },
    ...CHANGE_ERRORS,
    'reference_taken',
    'merchant_unknown',
    'merchant_not_enabled',
    'mode_required',
    'account_disabled',
    'invalid_expiry',
    'invalid_capture_delay',
    'invalid_currency',
    'invalid_methods',
    'mandate_unknown',
    'capability_missing',
    'limit_exceeded',
    'limit_reached',
  )
  async placeOrder(
    @Body() input: PlaceOrderDto,
    @Idempotent() request: ChangeRequest,
    @PreferredWait() waitMs: number,
  ): Promise<Answer<OrderAnswer>> {
    if (input.mandateId !== undefined) mustAllow(request.caller, 'debits:write');
    const answer = await this.commands.execute(new ChangeOrder(request, { type: 'place', input }));
    return this.pages.withPage(request.caller, answer, waitMs);
  }

  @Get(':id')
  @Allow('orders:read')
  @ApiOperation({ summary: 'Read an order' })
  @Answers(
    { type: OrderAnswer, description: 'The order with its current payment.' },
    'order_not_found',
  )
  getOrder(
    @Param('id', orderIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<OrderAnswer> {
    return this.queries.execute(new GetOrder(caller, id));
  }

  @Post(':id/cancel')
  @Allow('orders:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Cancel an unpaid order',
    description: 'The order is `closing` until the provider shows that its payment has ended.',
  })
  @Answers(
    {
      status: 202,
      type: OrderAnswer,
      description: 'The current order, with the requested cancellation.',
    },
    ...CHANGE_ERRORS,
    'order_not_found',
    'order_paid',
    'order_ended',
    'capability_missing',
  )
  cancelOrder(
    @Param('id', orderIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<OrderAnswer>> {
    return this.commands.execute(new ChangeOrder(request, { type: 'cancel', orderId: id }));
  }

  @Post(':id/capture')
  @Allow('captures:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Capture an authorized order now',
    description:
      'For the policies `manual` and `delayed`. Captures the rest of the authorized amount, or ' +
      'part of it where the provider of the merchant’s account supports it. After the first capture ' +
      'the order is `paid` a moment later; further ones add to its `paidMinor`.',
  })
  @ApiBody({ type: CaptureOrderDto, required: false })
  @Answers(
    {
      status: 202,
      type: OrderAnswer,
      description: 'The current order, with the requested capture.',
    },
    ...CHANGE_ERRORS,
    'order_not_found',
    'not_authorized',
    'payment_closing',
    'payment_ended',
    'capability_missing',
    'capture_exceeds_authorized',
    'invalid_amount',
    'capture_in_progress',
    'limit_exceeded',
    'limit_reached',
  )
  captureOrder(
    @Param('id', orderIdPipe) id: string,
    @Body() { amountMinor, isFinal }: CaptureOrderDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<OrderAnswer>> {
    const part = { amountMinor: amountMinor ?? null, ...(isFinal !== undefined && { isFinal }) };
    const change = { type: 'capture', orderId: id, part, at: this.clock.now() } as const;
    return this.commands.execute(new ChangeOrder(request, change));
  }
}
