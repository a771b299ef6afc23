import { Body, Controller, Get, Inject, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type Clock, DAY_MS, newId, parseDurationMs, plusMs } from '#kernel';
import { CLOCK } from '#platform';
import { Allow, CurrentCaller, mustAllow } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { orderIdPipe } from '../shared/id.pipe.js';
import {
  Idempotent,
  type IdempotentRequest,
  TakesIdempotencyKey,
} from '../shared/idempotency-key.js';
import { send } from '../shared/idempotency.js';
import { NoFields } from '../shared/no-fields.js';
import { type Origin, RequestOrigin } from '../shared/origin.js';
import { CaptureOrderDto } from './capture-order.dto.js';
import { CapturePayment } from './capture.commands.js';
import { OrderAnswer } from './order-answer.js';
import { ChangeOrder, type PlacedOrder } from './order.commands.js';
import { GetOrder } from './order.queries.js';
import { type CaptureDto, PLACE_ORDER_EXAMPLES, PlaceOrderDto } from './place-order.dto.js';

const DEFAULT_LIFETIME_MS = DAY_MS;

const capturePolicy = ({ policy, delay }: CaptureDto) =>
  policy === 'delayed' ? { policy, delayMs: parseDurationMs(delay ?? '') } : { policy };

@ApiTags('Orders')
@Controller('v1/orders')
export class OrdersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @Allow('orders:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Place an order',
    operationId: 'placeOrder',
    description: 'With a `mandateId` the key needs the scope `debits:write`, too.',
  })
  @ApiBody({ type: PlaceOrderDto, examples: PLACE_ORDER_EXAMPLES })
  @Answers(
    { status: 201, type: OrderAnswer, description: 'The order, placed; its payment follows.' },
    ...CHANGE_ERRORS,
    'reference_taken',
    'merchant_unknown',
    'merchant_not_open',
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
  async place(
    @Body() input: PlaceOrderDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderAnswer> {
    if (input.mandateId !== undefined) mustAllow(caller, 'debits:write');
    const command = () => this.placeOrder(input, caller);
    const change = new ChangeOrder(caller, newId('ord'), command, request, origin);
    return send(reply, await this.commands.execute(change));
  }

  @Get(':id')
  @Allow('orders:read')
  @ApiOperation({ summary: 'Read an order', operationId: 'getOrder' })
  @Answers(
    { status: 200, type: OrderAnswer, description: 'The order with its current payment.' },
    'order_not_found',
  )
  read(
    @Param('id', orderIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<OrderAnswer> {
    return this.queries.execute(new GetOrder(caller, id));
  }

  @Post(':id/cancel')
  @Allow('orders:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Cancel an order that is not paid',
    operationId: 'cancelOrder',
    description:
      'The order ends once its payment is seen to have ended; until then it is `closing`.',
  })
  @Answers(
    {
      status: 202,
      type: OrderAnswer,
      description: 'The cancellation is asked for; the order as it is now.',
    },
    ...CHANGE_ERRORS,
    'order_not_found',
    'order_paid',
    'order_ended',
    'capability_missing',
  )
  async cancel(
    @Param('id', orderIdPipe) id: string,
    @NoFields() _fields: void,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderAnswer> {
    const command = () => ({ type: 'RequestCancellation', at: this.clock.now() }) as const;
    const change = new ChangeOrder(caller, id, command, request, origin);
    return send(reply, await this.commands.execute(change));
  }

  @Post(':id/capture')
  @Allow('captures:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Capture an authorized order now',
    operationId: 'captureOrder',
    description:
      'For the policies `manual` and `delayed`. Captures what is left of the authorized amount, or ' +
      'part of it where the provider of the merchant’s account can. With the first capture the ' +
      'order is `paid` a moment later; further ones add to its `paidMinor`.',
  })
  @ApiBody({ type: CaptureOrderDto, required: false })
  @Answers(
    {
      status: 202,
      type: OrderAnswer,
      description: 'The capture is asked for; the order as it is now.',
    },
    ...CHANGE_ERRORS,
    'order_not_found',
    'not_authorized',
    'payment_closing',
    'payment_ended',
    'capability_missing',
    'capture_exceeds_authorized',
    'capture_in_flight',
    'limit_exceeded',
    'limit_reached',
  )
  async capture(
    @Param('id', orderIdPipe) id: string,
    @Body() { amountMinor, isFinal }: CaptureOrderDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderAnswer> {
    const part = { amountMinor: amountMinor ?? null, ...(isFinal !== undefined && { isFinal }) };
    const capture = new CapturePayment(caller, id, part, this.clock.now(), request, origin);
    return send(reply, await this.commands.execute(capture));
  }

  private placeOrder(input: PlaceOrderDto, caller: Caller): PlacedOrder {
    const { merchantId, reference, amountMinor, currency, capture, mode } = input;
    const { expiresIn, mandateId } = input;
    const at = this.clock.now();
    const lifetimeMs = expiresIn === undefined ? DEFAULT_LIFETIME_MS : parseDurationMs(expiresIn);
    return {
      type: 'PlaceOrder',
      platformId: caller.platformId,
      merchantId,
      mode,
      reference,
      amountMinor,
      currency,
      capture: capturePolicy(capture),
      methods: input.methods ?? [mandateId === undefined ? 'card' : 'sepa'],
      ...(mandateId === undefined ? {} : { mandateId }),
      returnUrl: input.returnUrl ?? null,
      description: input.description ?? null,
      metadata: input.metadata ?? {},
      expiresAt: plusMs(at, lifetimeMs),
      at,
    };
  }
}
