import type { Step } from '#log';
import type { OutgoingMessage } from '#kafka';
import {
  capturedMinor,
  CLOCK_SKEW_MS,
  exists,
  openRequest,
  type Payment,
  paymentAggregate,
  takenByRefunds,
} from '#payment';
import type { ProviderRequest } from '#psp-hosted';
import { accountOf } from './account.js';
import type { JobRow, SimulatedDatabase, WebhookRow } from './ports/database.js';
import type { ProviderAnswer } from './provider/api.js';
import type { SimulatedIntent } from './provider/intent.js';
import type { SimulatedProvider } from './provider/provider.js';

const TAKING_REFUNDS = ['to_refund', 'refund_sent', 'refunded'];
const LIVE_ENDS = ['canceled', 'unpaid'];
/** The statuses of a card payment, in the only order in which they may occur. */
const TRACK: readonly Payment['status'][] = [
  'requested',
  'open',
  'authorized',
  'to_capture',
  'capture_sent',
  'captured',
];

/** The suffix of a refund request's id when the request asks for the whole remaining amount. */
export const OF_ALL = '_all';

/** Checks the invariants that hold at any time, after any faults. */
export class Safety {
  readonly violations: string[] = [];
  private readonly causes = new Set<string>();
  private readonly published = new Map<string, number>();
  private readonly refundsMade = new Set<string>();
  /** The refund requests that were sent and whose result is unknown. */
  private readonly refundsUnknown = new Set<string>();
  /** The id of the payment on which each intent is recorded, by intent id. */
  private readonly owners = new Map<string, string>();
  private readonly statuses = new Map<string, Payment['status']>();

  constructor(
    private readonly database: () => SimulatedDatabase,
    private readonly provider: () => SimulatedProvider,
  ) {}

  violated(what: string): void {
    this.violations.push(what);
  }

  readonly onBug = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.violated(`a bug: ${text}`);
  };

  /** Checks that a saga's reaction to an event is committed only once. */
  onCommit({ appends }: Step): void {
    const causes = new Map(
      appends
        .flatMap(({ events }) => events)
        .filter(({ metadata }) => metadata.actor.startsWith('saga:'))
        // Ignores reactions to deadlines, because a deadline may be set again for the same instant.
        .filter(({ metadata }) => !metadata.causationId.includes('.'))
        .map(({ type, metadata }) => [`${metadata.actor} ${metadata.causationId}`, type]),
    );
    for (const [cause, type] of causes) {
      if (this.causes.has(cause)) {
        this.violated(`the reaction to one event is committed twice: ${type}`);
      }
      this.causes.add(cause);
    }
    for (const append of appends) if (append.streamType === 'payment') this.onPayment(append);
  }

  /** Checks the state of a payment after a step has appended events to it. */
  private onPayment({ streamId, events }: Step['appends'][number]): void {
    const payment = this.database().state(paymentAggregate, streamId);
    const before = this.statuses.get(streamId) ?? 'none';
    this.statuses.set(streamId, payment.status);
    const isOnTrack = TRACK.includes(payment.status);
    if (isOnTrack && TRACK.indexOf(payment.status) < TRACK.indexOf(before)) {
      this.violated(`a payment went from ${before} back to ${payment.status}`);
    }
    if (!exists(payment)) return;
    for (const { type, data } of events) {
      const { requestId, refundId, request, intentId, attemptId, expiresAt } = data as Readonly<
        Record<string, string | undefined>
      >;
      if (type === 'IntentCreated' && intentId !== undefined) this.onIntent(intentId, streamId);
      if (type === 'PaymentAuthorized') this.onAuthorized(attemptId ?? '', expiresAt ?? '');
      if (type === 'RefundRequested' && requestId?.endsWith(OF_ALL) === true) {
        const left = capturedMinor(payment) - takenByRefunds(payment.refunds);
        if (left !== 0) this.violated(`a refund of all that is left leaves ${left}`);
      }
      if (type === 'RefundObserved' && typeof requestId === 'string') {
        this.onRefund(streamId, requestId, refundId ?? '');
      }
      if (type === 'RequestResultResolved' && request === 'refund') {
        const isOpen = openRequest(payment.refunds) !== null;
        if (isOpen) this.violated('the result of a refund is known before the refund is');
      }
    }
  }

  /**
   * Checks that a refund that is recorded as ours was not made before its request. The request's own
   * time may be that of a wrong clock, so the time of its commit is compared.
   */
  private onRefund(streamId: string, requestId: string, refundId: string): void {
    const asked = this.database()
      .stream({ streamType: 'payment', streamId })
      .find(({ type, data }) => type === 'RefundRequested' && data['requestId'] === requestId);
    const made = this.provider()
      .intents.flatMap(({ refunds }) => refunds)
      .find(({ id }) => id === refundId);
    if (asked === undefined || made === undefined) return;
    if (made.createdMs < Number(asked.recorded_at) - CLOCK_SKEW_MS) {
      this.violated('a refund that was made before its request is recorded as ours');
    }
  }

  /** Checks that no authorization is recorded as valid after its expiry at the provider. */
  private onAuthorized(attemptId: string, expiresAt: string): void {
    const { intents } = this.provider();
    const attempt = intents.flatMap(({ attempts }) => attempts).find(({ id }) => id === attemptId);
    const expiresMs = attempt?.expiresMs ?? null;
    if (expiresMs !== null && Date.parse(expiresAt) > expiresMs) {
      this.violated('an authorization is recorded as valid after its expiry at the provider');
    }
  }

  /** Checks that a worker ignores a webhook only if it reports no new status of the payment. */
  onIgnoredWebhook({ accountId, intentId, paymentId, status }: WebhookRow): void {
    if (paymentId === null || status === null) return;
    const payment = this.database().state(paymentAggregate, paymentId);
    if (!exists(payment) || payment.terms.accountId !== accountId) return;
    if (payment.intentId !== null && payment.intentId !== intentId) return;
    const reported = TRACK.findIndex((one) => one === status);
    if (TRACK.includes(payment.status) && TRACK.indexOf(payment.status) < reported) {
      this.violated(`a webhook with the status ${status} of a payment was ignored`);
    }
  }

  private onIntent(intentId: string, paymentId: string): void {
    const owner = this.owners.get(intentId) ?? paymentId;
    this.owners.set(intentId, owner);
    if (owner !== paymentId) this.violated('an intent is recorded on two payments');
  }

  /**
   * Invariant 3: on a topic, the first occurrences of a stream's events are in version order,
   * without gaps.
   */
  onAppended({ topic, key, headers }: OutgoingMessage): void {
    const stream = `${topic} ${key}`;
    const version = Number(headers['ce_sequence']);
    const last = this.published.get(stream) ?? 0;
    if (version > last + 1)
      this.violated(
        `${topic} contains version ${version} of a stream directly after version ${last}`,
      );
    if (version > last) this.published.set(stream, version);
  }

  /**
   * Checks invariants 1 and 2 (at most one live intent for each order; no more money returned than
   * captured) with the provider's data, because the provider holds the money.
   */
  onProvider(request?: ProviderRequest, answer?: ProviderAnswer): void {
    const { intents } = this.provider();
    for (const [orderId, own] of byOrder(intents, this.orderIdOf)) {
      if (own.filter(({ status }) => !LIVE_ENDS.includes(status)).length > 1) {
        this.violated(`order ${orderId} has two live intents at the provider`);
      }
    }
    for (const intent of intents) {
      const { amount, refunds, disputes } = intent;
      this.onTerms(intent);
      const back = refunds.filter(({ status }) => TAKING_REFUNDS.includes(status));
      const taken = [...back, ...disputes].reduce((sum, one) => sum + one.amount, 0);
      if (taken > amount) this.violated('more was refunded or charged back than was captured');
    }
    if (request?.method === 'POST' && answer?.status === 200) this.onEffect(request);
  }

  /**
   * Checks that an intent has the account, the amount and the currency of its payment's order, and
   * that the account belongs to the order's merchant.
   */
  private onTerms({ orderId: paymentId, accountId, amount, currency }: SimulatedIntent): void {
    if (paymentId === null) return;
    const payment = this.database().state(paymentAggregate, paymentId);
    if (payment.status === 'none') return;
    const { terms } = payment;
    if (accountOf(accountId).merchantId !== terms.merchantId) {
      this.violated('an intent was created in the account of another merchant');
    }
    if (accountId !== terms.accountId) {
      this.violated(`an intent of ${terms.accountId} was created in the account ${accountId}`);
    }
    if (amount !== terms.amountMinor || currency !== terms.currency) {
      this.violated('an intent was created with another amount or currency than its order');
    }
  }

  /**
   * Checks that an executed capture was requested, and that each refund request is executed at most
   * once.
   */
  private onEffect(request: ProviderRequest): void {
    const paymentId = this.paymentOf(request);
    if (paymentId === null) return;
    const refund = this.refundOf(request);
    if (refund !== null) {
      if (this.refundsMade.has(refund)) this.violated(`a refund of ${paymentId} was made twice`);
      this.refundsMade.add(refund);
    }
    const isCapture = request.pathTemplate.endsWith('/capture');
    if (isCapture && this.asked(paymentId, 'CaptureRequested') === 0) {
      this.violated(`${paymentId} was captured without a request`);
    }
  }

  /** Checks that no refund is sent again while the result of its first request is unknown. */
  onSent(request: ProviderRequest): void {
    const refund = this.refundOf(request);
    if (refund === null) return;
    if (this.refundsUnknown.has(refund)) {
      this.violated('a refund was sent again although its result is unknown');
    }
    this.refundsUnknown.add(refund);
  }

  /** Records that the result of the refund request is known. */
  onResult(request: ProviderRequest): void {
    const refund = this.refundOf(request);
    if (refund !== null) this.refundsUnknown.delete(refund);
  }

  /**
   * Why a refund request must end without an operator; null if it may need one. The provider's
   * refunds do not contain our references. A refund that the provider has not made may therefore
   * need an operator if its request may have been sent without a response, or if the merchant has
   * also refunded the payment.
   */
  whyNeedless({ key, subjectId, note, hasLapsed }: JobRow): string | null {
    const streamId = subjectId ?? '';
    const payment = this.database().state(paymentAggregate, streamId);
    // The note begins with `GET` if the last attempt failed to read the provider.
    if (!exists(payment) || note.startsWith('GET ')) return null;
    const ordinal = this.database()
      .stream({ streamType: 'payment', streamId })
      .filter(({ type }) => type === 'RefundRequested')
      .findIndex((row) => row.event_id === key);
    const refund = `${payment.intentId}:${ordinal + 1}`;
    if (this.refundsMade.has(refund)) return 'that the provider shows';
    const made = [...this.refundsMade].filter((one) => one.startsWith(`${payment.intentId}:`));
    const shown = this.provider().find(payment.intentId)?.refunds ?? [];
    const isLost = hasLapsed || this.refundsUnknown.has(refund);
    return isLost || shown.length > made.length ? null : 'whose result was not lost';
  }

  private paymentOf({ id }: ProviderRequest): string | null {
    return this.provider().intents.find((intent) => intent.id === id)?.orderId ?? null;
  }

  /** How often the payment's stream contains an event of the type. */
  private asked(paymentId: string, type: string): number {
    return this.database()
      .stream({ streamType: 'payment', streamId: paymentId })
      .filter((row) => row.type === type).length;
  }

  /**
   * Identifies the requested refund that the request sends; null for another request. A payment's
   * refunds are requested one at a time, so the request belongs to the latest RefundRequested
   * event.
   */
  private refundOf(request: ProviderRequest): string | null {
    const paymentId = this.paymentOf(request);
    if (paymentId === null || !request.pathTemplate.endsWith('/refund')) return null;
    return `${request.id}:${this.asked(paymentId, 'RefundRequested')}`;
  }

  private readonly orderIdOf = ({ orderId: paymentId }: SimulatedIntent): string | null => {
    if (paymentId === null) return null;
    const payment = this.database().state(paymentAggregate, paymentId);
    return payment.status === 'none' ? null : payment.terms.orderId;
  };
}

const byOrder = (
  intents: readonly SimulatedIntent[],
  orderIdOf: (intent: SimulatedIntent) => string | null,
): ReadonlyMap<string, readonly SimulatedIntent[]> => {
  const grouped = new Map<string, SimulatedIntent[]>();
  for (const intent of intents) {
    const orderId = orderIdOf(intent);
    if (orderId === null) continue;
    grouped.set(orderId, [...(grouped.get(orderId) ?? []), intent]);
  }
  return grouped;
};
