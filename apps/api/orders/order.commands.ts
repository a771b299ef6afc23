import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore } from '#log';
import { type OrderCommand, orderAggregate, type OrderTerms } from '#order';
import { type AccountMode, ProviderAccounts } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { DailyLimits } from '../limits/daily-limits.js';
import { Tenancy } from '../shared/tenancy.js';
import { OrderAccounts } from './order-accounts.js';
import { orderAnswer, type OrderAnswer } from './order-answer.js';

/** What a platform asks for when it places an order: which account pays, its step finds out. */
export type PlacedOrder = Omit<Extract<OrderCommand, { type: 'PlaceOrder' }>, 'accountId'> & {
  readonly mode: AccountMode | undefined;
};

/** What a platform may ask of an order. */
export type PlatformOrderCommand =
  | PlacedOrder
  | Extract<OrderCommand, { type: 'RequestCancellation' }>;

/**
 * Made when the request is carried out and not before: what refuses a new request does not keep a
 * repetition from its answer.
 */
type Asked = () => PlatformOrderCommand | Promise<PlatformOrderCommand>;

export class ChangeOrder extends Command<Answer<OrderAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly orderId: string,
    readonly command: Asked,
    readonly request: IdempotentRequest,
    readonly origin: Origin,
  ) {
    super();
  }
}

const reservationOf = (
  { platformId, reference }: Pick<OrderTerms, 'platformId' | 'reference'>,
  holder: string,
) => ({
  scope: `order.reference ${platformId}`,
  key: reference,
  holder,
});

@CommandHandler(ChangeOrder)
export class ChangeOrderHandler implements ICommandHandler<ChangeOrder> {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly accounts: OrderAccounts,
    private readonly providers: ProviderAccounts,
    private readonly idempotency: Idempotency,
    private readonly limits: DailyLimits,
  ) {}

  execute(change: ChangeOrder): Promise<Answer<OrderAnswer>> {
    return this.idempotency.once(change.request, async () => {
      const command = await change.command();
      return command.type === 'PlaceOrder'
        ? this.place(change, command)
        : this.alter(change, command);
    });
  }

  /** Whether the reference or the key is taken, the commit finds out. */
  private place(change: ChangeOrder, placed: PlacedOrder) {
    if (placed.mandateId === undefined) return this.placeWith(change, placed);
    const { amountMinor, currency, mandateId } = placed;
    const debit = { operation: 'debit', amountMinor, currency, mandateId } as const;
    return this.limits.within(change.caller, ({ count }) =>
      this.placeWith(change, placed, () => count(debit)),
    );
  }

  private placeWith(
    { caller, orderId, request, origin }: ChangeOrder,
    placed: PlacedOrder,
    count?: () => Promise<void>,
  ) {
    const { mode: _mode, ...command } = placed;
    return this.store.step(metadataOf(orderId, caller, origin), async (step) => {
      step.reserve(reservationOf(command, orderId));
      const accountId = await this.accounts.of(step, caller, placed);
      await count?.();
      step.create(orderAggregate, orderId, { ...command, accountId });
      await step.react();
      const { order, payment } = await this.tenancy.orderWithPayment(caller, orderId, step);
      const answer = { status: 201, body: orderAnswer(orderId, order, payment) };
      step.answered({ ...request, ...answer });
      return answer;
    });
  }

  private alter(
    { caller, orderId, request, origin }: ChangeOrder,
    command: Exclude<PlatformOrderCommand, PlacedOrder>,
  ) {
    return this.store.step(metadataOf(orderId, caller, origin), async (step) => {
      const { terms } = await this.tenancy.order(caller, orderId, step);
      await this.providers.mustHave(terms.accountId, 'cancelableUntil');
      await step.execute(orderAggregate, orderId, command);
      await step.react();
      const { order, payment } = await this.tenancy.orderWithPayment(caller, orderId, step);
      const answer = { status: 202, body: orderAnswer(orderId, order, payment) };
      step.answered({ ...request, ...answer });
      return answer;
    });
  }
}
