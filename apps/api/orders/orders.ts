import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StepBuilder } from '#log';
import { type Clock, DAY_MS, type Instant, newId, parseDurationMs, plusMs } from '#kernel';
import { type OrderCommand, orderAggregate } from '#order';
import { CLOCK } from '#platform';
import { ProviderAccounts } from '#psp';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { Idempotency } from '../shared/idempotency.js';
import { DailyLimits } from '../limits/daily-limits.js';
import { Tenancy } from '../shared/tenancy.js';
import { Captures, type RequestedCapture } from './captures.js';
import { OrderAccounts } from './order-accounts.js';
import { orderAnswer, type OrderAnswer } from './order-answer.js';
import { type CaptureDto, type PlaceOrderDto } from './place-order.dto.js';

type PlaceOrder = Extract<OrderCommand, { type: 'PlaceOrder' }>;

const DEFAULT_LIFETIME_MS = DAY_MS;

const capturePolicy = ({ policy, delay }: CaptureDto) =>
  policy === 'delayed' ? { policy, delayMs: parseDurationMs(delay ?? '') } : { policy };

/**
 * The command that places an order, still without the provider account, which is selected in the
 * commit of the order.
 */
const commandOf = (
  input: PlaceOrderDto,
  platformId: string,
  at: Instant,
): Omit<PlaceOrder, 'accountId'> => {
  const { merchantId, reference, amountMinor, currency, expiresIn, mandateId } = input;
  const lifetimeMs = expiresIn === undefined ? DEFAULT_LIFETIME_MS : parseDurationMs(expiresIn);
  return {
    type: 'PlaceOrder',
    platformId,
    merchantId,
    reference,
    amountMinor,
    currency,
    capture: capturePolicy(input.capture),
    methods: input.methods ?? [mandateId === undefined ? 'card' : 'sepa'],
    ...(mandateId !== undefined && { mandateId }),
    returnUrl: input.returnUrl ?? null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    expiresAt: plusMs(at, lifetimeMs),
    at,
  };
};

/** The changes that a platform can request for an order. */
export type OrderChange =
  | { readonly type: 'place'; readonly input: PlaceOrderDto }
  | { readonly type: 'cancel'; readonly orderId: string }
  | ({ readonly type: 'capture' } & RequestedCapture);

export class ChangeOrder extends Command<Answer<OrderAnswer>> {
  constructor(
    readonly request: ChangeRequest,
    readonly change: OrderChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeOrder)
export class ChangeOrderHandler implements ICommandHandler<ChangeOrder> {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly accounts: OrderAccounts,
    private readonly providers: ProviderAccounts,
    private readonly idempotency: Idempotency,
    private readonly limits: DailyLimits,
    private readonly captures: Captures,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  execute({ request, change }: ChangeOrder): Promise<Answer<OrderAnswer>> {
    switch (change.type) {
      case 'place':
        return this.place(request, change.input);
      case 'cancel':
        return this.cancel(request, change.orderId);
      case 'capture':
        return this.captures.capture(request, change);
    }
  }

  private place(request: ChangeRequest, input: PlaceOrderDto): Promise<Answer<OrderAnswer>> {
    const { amountMinor, currency, mandateId } = input;
    return this.idempotency.withReplay(request, async () => {
      if (mandateId === undefined) return this.commit(request, input);
      const debit = { operation: 'debit', amountMinor, currency, mandateId } as const;
      return this.limits.within(request.caller, ({ count }) =>
        this.commit(request, input, () => count(debit)),
      );
    });
  }

  private cancel(request: ChangeRequest, orderId: string): Promise<Answer<OrderAnswer>> {
    return this.idempotency.withReplay(request, () => {
      const command = { type: 'RequestCancellation', at: this.clock.now() } as const;
      return this.idempotency.step(request, orderId, 202, async (step) => {
        const { terms } = await this.tenancy.order(request.caller, orderId, step);
        await this.providers.mustHave(terms.accountId, 'cancelableUntil');
        await step.execute(orderAggregate, orderId, command);
        return this.answerOf(step, request, orderId);
      });
    });
  }

  /**
   * Commits the order; the commit detects an order reference or idempotency key that is already
   * used.
   */
  private commit(
    request: ChangeRequest,
    input: PlaceOrderDto,
    count?: () => Promise<void>,
  ): Promise<Answer<OrderAnswer>> {
    const { caller } = request;
    const { platformId } = caller;
    const orderId = newId('ord');
    const command = commandOf(input, platformId, this.clock.now());
    return this.idempotency.step(request, orderId, 201, async (step) => {
      const { reference: key } = command;
      step.reserve({ scope: `order.reference ${platformId}`, key, holder: orderId });
      const accountId = await this.accounts.of(step, caller, input);
      await count?.();
      step.create(orderAggregate, orderId, { ...command, accountId });
      return this.answerOf(step, request, orderId);
    });
  }

  private async answerOf(
    step: StepBuilder,
    { caller }: ChangeRequest,
    orderId: string,
  ): Promise<OrderAnswer> {
    await step.react();
    const { order, payment } = await this.tenancy.orderWithPayment(caller, orderId, step);
    return orderAnswer(orderId, order, payment);
  }
}
