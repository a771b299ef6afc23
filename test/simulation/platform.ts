import { AlreadyAnswered, EventStore, type StepBuilder } from '#log';
import { UPCASTERS } from '#orchestrator';
import { assert, newId, plusMs, Rejection } from '#kernel';
import { orderAggregate } from '#order';
import { exists, isSettled, paymentAggregate, type PaymentCommand, reasonToIgnore } from '#payment';
import { AccountSchedules, isProviderError, ProviderRejected, readPayment } from '#psp';
import { HostedAdapter } from '#psp-hosted';
import { accountOf, scheduleOf } from './account.js';
import type { FaultRates } from './faults.js';
import type { Network } from './network.js';
import type { SimulatedDatabase } from './ports/database.js';
import { simulatedLog } from './ports/log.js';
import { ConnectionLost, connectionOf } from './ports/process-exchange.js';
import { faultyReactions } from './ports/sagas.js';
import type { OrderPlan } from './script.js';
import { Process, type Scheduler } from './scheduler.js';

export const PLATFORM = 'plat_1';
/**
 * The number of cached streams. It is small, because a simulation has few streams and creating a
 * large cache takes long.
 */
const MAX_CACHED = 100;

/** Catches a rejection by the provider, after which the platform does not repeat its request. */
const ifRejected = (error: unknown): null => {
  if (error instanceof ProviderRejected) return null;
  throw error;
};

/** A webhook as the provider sends it to the endpoint of an account. */
export interface SentWebhook {
  readonly accountId: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: Buffer;
}

export interface ApiParts {
  readonly scheduler: Scheduler;
  readonly database: SimulatedDatabase;
  readonly network: Network;
  readonly rates: () => FaultRates;
}

/** The api as a process. Platforms and the provider repeat each request until the api responds. */
export class SimulatedApiProcess {
  private readonly process = new Process('api');
  private readonly exchange;
  private readonly store: EventStore;
  private readonly schedules = new AccountSchedules(scheduleOf);

  constructor(private readonly parts: ApiParts) {
    const { scheduler, database, rates } = parts;
    this.exchange = connectionOf(scheduler, this.process, () => rates().database);
    const reactions = faultyReactions(scheduler, () => rates().reaction);
    this.store = new EventStore(simulatedLog(database, this.exchange), UPCASTERS, reactions, {
      pause: async () => scheduler.sleep(this.process, scheduler.random.int(1, 500), 'pause over'),
      maxCached: MAX_CACHED,
    });
  }

  async place(plan: OrderPlan): Promise<string> {
    const orderId = newId('ord');
    const reference = `A-${plan.ordinal}`;
    const at = this.parts.scheduler.clock.now();
    const { merchantId } = accountOf(plan.accountId);
    const accountId = await this.schedules.forOrder({ platformId: PLATFORM, merchantId }, at);
    assert(accountId !== null, 'each simulated merchant has an account');
    await this.once(orderId, `place ${reference}`, (step) => {
      step.reserve({ scope: `order.reference ${PLATFORM}`, key: reference, holder: orderId });
      step.create(orderAggregate, orderId, {
        type: 'PlaceOrder',
        platformId: PLATFORM,
        merchantId,
        accountId,
        reference,
        amountMinor: plan.amountMinor,
        currency: plan.currency,
        capture: plan.capture,
        methods: plan.methods,
        returnUrl: null,
        description: null,
        metadata: {},
        expiresAt: plusMs(at, plan.lifetimeMs),
        ...(plan.mandateId === null ? {} : { mandateId: plan.mandateId }),
        at,
      });
    });
    return orderId;
  }

  async cancel(orderId: string): Promise<void> {
    const at = this.parts.scheduler.clock.now();
    await this.once(orderId, `cancel ${orderId}`, async (step) => {
      await step.execute(orderAggregate, orderId, { type: 'RequestCancellation', at });
    });
  }

  async capture(orderId: string, paymentId: string): Promise<void> {
    const at = this.parts.scheduler.clock.now();
    await this.once(orderId, `capture ${paymentId}`, async (step) => {
      const captureId = newId('cap');
      const command = { type: 'RequestCapture', captureId, by: 'platform', at } as const;
      await step.execute(paymentAggregate, paymentId, command);
    });
  }

  async refund(
    orderId: string,
    paymentId: string,
    requestId: string,
    amountMinor: number | null,
  ): Promise<boolean> {
    return this.command(orderId, paymentId, `refund ${requestId}`, {
      type: 'RequestRefund',
      requestId,
      amountMinor,
      reference: null,
      reason: null,
      at: this.parts.scheduler.clock.now(),
    });
  }

  /**
   * The platform's refresh request after the payment page has reported that the payer has finished.
   */
  async refresh(orderId: string, paymentId: string): Promise<void> {
    const { scheduler, network } = this.parts;
    const { state: payment } = await this.patiently(() =>
      this.store.load(paymentAggregate, paymentId),
    );
    if (!exists(payment) || isSettled(payment)) return;
    const { apiKey } = accountOf(payment.terms.accountId);
    const { payments } = new HostedAdapter(network.transportOf(this.process)).client(apiKey);
    const observation = await this.patiently(() =>
      readPayment(payments, payment.intentId).catch(ifRejected),
    );
    if (observation === null) return;
    const at = scheduler.clock.now();
    await this.once(orderId, `refresh ${paymentId}`, async (step) => {
      await step.execute(paymentAggregate, paymentId, { type: 'FinishPage', at });
      await step.execute(paymentAggregate, paymentId, {
        type: 'ObservePayment',
        paymentId,
        observation,
        at,
      });
    });
  }

  /**
   * Stores a webhook and then acknowledges it; the provider repeats webhooks that are not
   * acknowledged.
   */
  async receive({ accountId, eventId, type, body }: SentWebhook): Promise<void> {
    const adapter = new HostedAdapter(this.parts.network.transportOf(this.process));
    const hint = adapter.readWebhook(body);
    assert(hint !== null, 'the provider sends events');
    const { intentId, reference: paymentId, status } = hint;
    const known = paymentId === null ? null : this.store.cached(paymentAggregate, paymentId);
    const shown = { accountId, intentId, status };
    const isIgnored = known !== null && reasonToIgnore(known.state, shown) !== null;
    await this.patiently(() =>
      this.exchange(`store webhook ${type}`, 'plain', () =>
        this.parts.database.receive(
          accountId,
          eventId,
          { type, intentId, paymentId, status },
          isIgnored,
        ),
      ),
    );
  }

  private command(
    orderId: string,
    paymentId: string,
    key: string,
    command: PaymentCommand,
  ): Promise<boolean> {
    return this.once(orderId, key, async (step) => {
      await step.execute(paymentAggregate, paymentId, command);
    });
  }

  /**
   * Repeats a request under one idempotency key until a response arrives; returns false when the
   * request is rejected.
   */
  private async once(
    correlationId: string,
    key: string,
    work: (step: StepBuilder) => Promise<void> | void,
  ): Promise<boolean> {
    const metadata = {
      correlationId,
      causationId: key,
      actor: `platform:${PLATFORM}`,
      traceparent: null,
    };
    try {
      await this.patiently(() =>
        this.store.step(metadata, async (step) => {
          await work(step);
          step.answered({ platformId: PLATFORM, key, fingerprint: key, status: 200, body: {} });
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof AlreadyAnswered) return true;
      if (error instanceof Rejection) return false;
      throw error;
    }
  }

  private async patiently<T>(ask: () => Promise<T>): Promise<T> {
    const { scheduler } = this.parts;
    for (let tries = 0; tries < 10_000; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof ConnectionLost) && !isProviderError(error)) throw error;
        await scheduler.sleep(this.process, 1_000 * scheduler.random.int(1, 30), 'asked again');
      }
    }
    assert(false, 'a request succeeds within 10,000 attempts');
  }
}
