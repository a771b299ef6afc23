import { HOUR_MS } from '#kernel';
import { type Order, orderAggregate } from '#order';
import { exists, type Payment, paymentAggregate, refundableMinor } from '#payment';
import type { SimulatedApiProcess } from './platform.js';
import type { SimulatedDatabase } from './ports/database.js';
import { latestOf, type SimulatedIntent } from './provider/intent.js';
import { Refused, type SimulatedProvider } from './provider/provider.js';
import { OF_ALL } from './safety.js';
import type { OrderPlan, PayerTry } from './script.js';
import type { Process, Scheduler } from './scheduler.js';

export interface StoryParts {
  readonly scheduler: Scheduler;
  readonly database: SimulatedDatabase;
  readonly provider: SimulatedProvider;
  readonly api: SimulatedApiProcess;
  readonly people: Process;
  readonly onBug: (error: unknown) => void;
}

/** The reason with which an operator marks a refund request as never executed. */
const NEVER_MADE = 'the provider did not execute the refund';

/** The statuses of a payment that can be refunded; before clearing the refund is queued. */
const MAY_REFUND: readonly Payment['status'][] = [
  'processing',
  'to_capture',
  'capture_sent',
  'captured',
];

/** Executes the plan of one order: platform, payer and merchant act independently of each other. */
export class OrderStory {
  orderId: string | null = null;
  private refundsAsked = 0;

  constructor(
    private readonly parts: StoryParts,
    readonly plan: OrderPlan,
  ) {}

  begin(): void {
    this.go(async () => {
      await this.wait(this.plan.placedAfterMs, 'comes');
      this.orderId = await this.parts.api.place(this.plan);
      this.go(() => this.pay());
      this.go(() => this.cancel());
      this.go(() => this.capture());
      this.go(() => this.refund());
      this.go(() => this.actInUserArea());
    });
  }

  get order(): Order {
    return this.parts.database.state(orderAggregate, this.orderId ?? '');
  }

  private get paymentId(): string {
    const { order } = this;
    return order.status === 'not_placed' ? '' : (order.payments.at(-1) ?? '');
  }

  private get payment(): Payment {
    return this.parts.database.state(paymentAggregate, this.paymentId);
  }

  /** The intent of the order's current payment; null while there is no intent. */
  private get intent(): SimulatedIntent | null {
    const { payment } = this;
    return exists(payment) ? this.parts.provider.find(payment.intentId) : null;
  }

  private async pay(): Promise<void> {
    for (const one of this.plan.tries) {
      await this.until('gets a page', () => this.payment.status === 'open');
      await this.wait(one.afterMs, 'thinks');
      await this.try(one);
    }
  }

  private async try({ by, response, atBankMs }: PayerTry): Promise<void> {
    const { provider, api } = this.parts;
    const { intent, paymentId, plan } = this;
    if (intent === null || !provider.takesAttempt(intent)) return;
    if (by === 'debit') {
      provider.debit(intent, `sepa_${'P'.repeat(24)}`, response ?? '00', plan.scenario);
    } else {
      const attempt = provider.beginCard(intent);
      if (response === null) return;
      await this.wait(atBankMs, 'is at the bank');
      provider.decide(intent, attempt, response, plan.scenario);
    }
    const isDone = latestOf(intent)?.response === '00';
    if (isDone && plan.reportsPageCompleted) await api.refresh(this.orderId ?? '', paymentId);
  }

  private async cancel(): Promise<void> {
    const { cancels } = this.plan;
    if (cancels === null) return;
    if (cancels.from === 'authorized') {
      await this.until('sees the authorization', () =>
        ['authorized', 'to_capture', 'processing'].includes(this.payment.status),
      );
    }
    await this.wait(cancels.afterMs, 'decides to cancel');
    await this.parts.api.cancel(this.orderId ?? '');
  }

  private async capture(): Promise<void> {
    const { capture, capturesAfterMs } = this.plan;
    if (capture.policy !== 'manual' || capturesAfterMs === null) return;
    await this.until('sees the authorization', () => this.order.status === 'authorized');
    await this.wait(capturesAfterMs, 'packs');
    await this.parts.api.capture(this.orderId ?? '', this.paymentId);
  }

  private async refund(): Promise<void> {
    for (const { afterMs, percent } of this.plan.refunds) {
      await this.until('may refund', () => MAY_REFUND.includes(this.payment.status));
      await this.wait(afterMs, 'gets goods back');
      while (await this.refundOnce(percent));
    }
  }

  /**
   * Requests a refund; returns true if an operator found that the request was lost, so the platform
   * must request the refund again.
   */
  private async refundOnce(percent: number): Promise<boolean> {
    const { payment, paymentId } = this;
    if (!exists(payment)) return false;
    const left = refundableMinor(payment);
    const amountMinor = percent === 100 ? null : Math.max(1, Math.floor((left * percent) / 100));
    this.refundsAsked += 1;
    const ordinal = `${this.plan.ordinal}_${this.refundsAsked}`;
    const requestId = `rfr_${ordinal}${amountMinor === null ? OF_ALL : ''}`;
    await this.parts.api.refund(this.orderId ?? '', paymentId, requestId, amountMinor);
    await this.until('sees the result of the refund request', () => {
      const after = this.payment;
      return (
        !exists(after) ||
        !after.refunds.some(
          (one) =>
            one.requestId === requestId && (one.status === 'queued' || one.status === 'requested'),
        )
      );
    });
    const after = this.payment;
    return (
      exists(after) &&
      after.refunds.some(
        (refund) =>
          refund.status === 'rejected' &&
          refund.requestId === requestId &&
          refund.rejection === NEVER_MADE,
      )
    );
  }

  /** Executes the merchant's action in the provider's User Area, which no webhook reports. */
  private async actInUserArea(): Promise<void> {
    const { provider, scheduler } = this.parts;
    const { merchant } = this.plan;
    if (merchant === 'nothing') return;
    const status = merchant === 'cancels' ? ['open', 'authorized', 'to_capture'] : ['captured'];
    await this.until('is in the user area', () => status.includes(this.payment.status));
    await this.wait(scheduler.random.int(0, 24) * HOUR_MS, 'decides');
    const { intent } = this;
    if (intent === null) return;
    try {
      if (merchant === 'cancels') provider.cancel(intent);
      else provider.refund(intent, this.merchantsRefund(intent.amount), false);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** Half of the refunds by the merchant have the amount of the platform's first refund. */
  private merchantsRefund(amount: number): number {
    const [first] = this.plan.refunds;
    const isEqual = first !== undefined && this.parts.scheduler.random.chance(0.5);
    const percent = isEqual ? first.percent : 100 / 3;
    return Math.max(1, Math.floor((amount * percent) / 100));
  }

  private go(work: () => Promise<void>): void {
    work().catch(this.parts.onBug);
  }

  private async wait(ms: number, label: string): Promise<void> {
    const { scheduler, people } = this.parts;
    await scheduler.sleep(people, ms, `#${this.plan.ordinal} ${label}`);
  }

  private async until(label: string, holds: () => boolean): Promise<void> {
    const { scheduler, people } = this.parts;
    await scheduler.until(people, `#${this.plan.ordinal} ${label}`, holds);
  }
}
