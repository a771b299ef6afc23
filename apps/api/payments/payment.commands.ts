import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore } from '#log';
import { assert, type Clock, type Instant } from '#kernel';
import { exists, isOver, type Observation, type PaymentCommand, paymentAggregate } from '#payment';
import { CLOCK } from '#platform';
import { ProviderAccounts, readPayment } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { type KnownPayment, Tenancy } from '../shared/tenancy.js';
import { paymentAnswer, type PaymentAnswer } from './payment-answer.js';

/** Takes in what the platform and the provider show of a payment now. */
export class RefreshPayment extends Command<Answer<PaymentAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly paymentId: string,
    readonly pageFinished: boolean,
    readonly request: IdempotentRequest,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(RefreshPayment)
export class RefreshPaymentHandler implements ICommandHandler<RefreshPayment> {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly accounts: ProviderAccounts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  execute(command: RefreshPayment): Promise<Answer<PaymentAnswer>> {
    const { caller, paymentId, pageFinished, request, origin } = command;
    return this.idempotency.once(request, async () => {
      const known = await this.tenancy.payment(caller, paymentId);
      const observation = await this.observe(known);
      const commands = commandsOf({ paymentId, observation, pageFinished, at: this.clock.now() });
      return this.store.step(metadataOf(known.terms.orderId, caller, origin), async (step) => {
        for (const one of commands) await step.execute(paymentAggregate, paymentId, one);
        await step.react();
        const payment = await this.tenancy.payment(caller, paymentId, step);
        const answer = { status: 200, body: paymentAnswer(paymentId, payment) };
        step.answered({ ...request, ...answer });
        return answer;
      });
    });
  }

  /** Null where there is nothing to read: no intent yet, or nothing more to learn. */
  private async observe(payment: KnownPayment): Promise<Observation | null> {
    if (!exists(payment) || isOver(payment)) return null;
    const account = await this.accounts.byId(payment.terms.accountId);
    assert(account !== null, 'the account that a payment was made with is kept');
    return readPayment(this.accounts.clientFor(account).payments, payment.intentId);
  }
}

/** The page first: an authorization learnt in the same step is then known to be confirmed. */
const commandsOf = ({
  paymentId,
  observation,
  pageFinished,
  at,
}: {
  readonly paymentId: string;
  readonly observation: Observation | null;
  readonly pageFinished: boolean;
  readonly at: Instant;
}): readonly PaymentCommand[] => [
  ...(pageFinished ? [{ type: 'FinishPage', at } as const] : []),
  ...(observation === null
    ? []
    : [{ type: 'ObservePayment', paymentId, observation, at } as const]),
];
