import { CURRENCIES, type EventMap, ignored, isHandled, mapEvent, msOf } from '#kernel';
import { domainEvent, type EventStore, type Step } from '#log';
import { orderAggregate, type OrderEvent, type PlacedOrder } from '#order';
import { paymentAggregate, type PaymentEvent, type PaymentTerms } from '#payment';
import type { Metrics } from '#platform';

/**
 * The limits of the histogram's buckets, from ten seconds to a week: payers may take hours, and
 * some orders wait for a capture.
 */
const TO_PAID_SECONDS = [
  10, 30, 60, 120, 300, 600, 1_800, 3_600, 10_800, 43_200, 86_400, 259_200, 604_800,
];

const CAPTURE_POLICIES = ['automatic', 'delayed', 'manual'] as const;

/**
 * The maximum number of response codes with a separate label; further codes have the label `other`.
 */
const MAX_CODES = 60;
const CODE = /^[0-9A-Z]{1,4}$/;
/** A reason code of direct debits, e.g. `AM04`; codes of cards have other forms. */
const DEBIT_CODE = /^[A-Z]{2}\d{2}$/;

const methodOf = ({ methods }: PaymentTerms, code: string | null): 'card' | 'sepa' =>
  methods[0] !== undefined && methods.length === 1
    ? methods[0]
    : DEBIT_CODE.test(code ?? '')
      ? 'sepa'
      : 'card';

/** The events that a step has appended to one stream. */
type Append = Step['appends'][number];

/**
 * Counts what happens to orders and payments. The counts come from the events that this process
 * commits, so they need no database statement. No label names a merchant or a platform.
 */
export class BusinessMetrics {
  private readonly placed;
  private readonly toPaid;
  private readonly authorized;
  private readonly declined;
  private readonly captured;
  private readonly refunded;
  private readonly chargedBack;
  private readonly codes = new Set<string>();

  constructor(metrics: Metrics) {
    this.placed = metrics.counter('orders_placed_total', 'Orders that platforms have placed');
    this.toPaid = metrics.histogram(
      'order_time_to_paid_seconds',
      'Business time from placing an order until it is paid, by its capture policy',
      ['capture'],
      TO_PAID_SECONDS,
    );
    this.authorized = metrics.counter(
      'payments_authorized_total',
      'Authorized card payments and accepted direct debits',
      ['method'],
    );
    this.declined = metrics.counter(
      'payment_attempts_declined_total',
      'Attempts to pay that the payer’s bank has refused, by its response code',
      ['method', 'code'],
    );
    this.captured = metrics.counter(
      'captured_amount_minor_total',
      'Captured amounts, in minor units',
      ['currency'],
    );
    this.refunded = metrics.counter(
      'refunded_amount_minor_total',
      'Refunds that reached the payer, in minor units',
      ['currency'],
    );
    this.chargedBack = metrics.counter(
      'charged_back_amount_minor_total',
      'Amounts of new disputes and returned direct debits, in minor units',
      ['currency'],
    );
    this.startAtZero();
  }

  /**
   * Sets the counters to 0, because the rate of a counter can be computed only after its first
   * value.
   */
  private startAtZero(): void {
    for (const method of ['card', 'sepa'] as const) this.authorized.inc({ method }, 0);
    for (const capture of CAPTURE_POLICIES) this.toPaid.zero({ capture });
    for (const amounts of [this.captured, this.refunded, this.chargedBack]) {
      for (const currency of CURRENCIES) amounts.inc({ currency }, 0);
    }
  }

  /** Counts the events of each step that the store commits. */
  watch(store: EventStore): void {
    store.onCommitted(({ appends }) => {
      for (const append of appends) {
        if (append.streamType === 'order') this.countOrder(store, append);
        if (append.streamType === 'payment') this.countPayment(store, append);
      }
    });
  }

  private countOrder(store: EventStore, { streamId, events }: Append): void {
    const counted = events.filter(({ type }) => isHandled(this.ofOrder, type));
    if (counted.length === 0) return;
    const order = store.cached(orderAggregate, streamId)?.state;
    if (order === undefined || order.status === 'not_placed') return;
    for (const event of counted) {
      mapEvent(this.ofOrder, undefined, domainEvent<OrderEvent>(event), order);
    }
  }

  private countPayment(store: EventStore, { streamId, events }: Append): void {
    const counted = events.filter(({ type }) => isHandled(this.ofPayment, type));
    if (counted.length === 0) return;
    const payment = store.cached(paymentAggregate, streamId)?.state;
    if (payment === undefined || payment.status === 'none') return;
    for (const event of counted) {
      mapEvent(this.ofPayment, undefined, domainEvent<PaymentEvent>(event), payment.terms);
    }
  }

  private readonly ofOrder: EventMap<OrderEvent, [PlacedOrder], void> = {
    OrderPlaced: () => this.placed.inc(),
    OrderPaid: ({ at }, { placedAt, terms }) => {
      const seconds = Math.max(0, msOf(at) - Date.parse(placedAt)) / 1_000;
      this.toPaid.observe({ capture: terms.capture.policy }, seconds);
    },
    ...ignored('OrderPaymentStarted', 'OrderAuthorized', 'OrderCancellationRequested'),
    ...ignored('OrderExpiryReached', 'OrderCaptured', 'OrderCaptureCorrected', 'OrderRefunded'),
    ...ignored('OrderChargedBack', 'OrderDisputeWon', 'OrderDebitReturned', 'OrderPaymentVoided'),
    ...ignored('OrderCanceled', 'OrderExpired', 'OrderFailed'),
  };

  private readonly ofPayment: EventMap<PaymentEvent, [PaymentTerms], void> = {
    PaymentAuthorized: () => this.authorized.inc({ method: 'card' }),
    DirectDebitAccepted: () => this.authorized.inc({ method: 'sepa' }),
    AttemptRefused: ({ responseCode }, terms) =>
      this.declined.inc({
        method: methodOf(terms, responseCode),
        code: this.labelOf(responseCode),
      }),
    PaymentCaptured: ({ amountMinor }, { currency }) =>
      this.captured.inc({ currency }, amountMinor),
    RefundSucceeded: ({ amountMinor }, { currency }) =>
      this.refunded.inc({ currency }, amountMinor),
    DisputeObserved: ({ amountMinor }, { currency }) =>
      this.chargedBack.inc({ currency }, amountMinor),
    ...ignored('IntentRequested', 'IntentCreated', 'IntentRejected', 'DebitRequested'),
    ...ignored('DebitRejected', 'PaymentPageCompleted', 'AuthorizationExpiring'),
    ...ignored('CaptureRequested', 'CaptureAccepted', 'CaptureSent', 'CaptureRejected'),
    ...ignored('AuthorizationClosed', 'CancelRequested', 'PaymentCanceled'),
    ...ignored('AuthorizationExpired', 'DirectDebitReturned', 'RefundQueued', 'RefundRequested'),
    ...ignored('RefundRejected', 'RefundAbandoned', 'RefundObserved', 'RefundSent'),
    ...ignored('RefundFailed', 'DisputeStatusChanged', 'DisputeReversed'),
    ...ignored('RequestResultUnknown', 'RequestResultResolved', 'PaymentMismatchObserved'),
    ...ignored('PaymentMismatchesReviewed'),
  };

  /** The label of a response code. Banks choose the codes, so the number of labels is limited. */
  private labelOf(code: string | null): string {
    if (code === null) return 'none';
    if (this.codes.has(code)) return code;
    if (!CODE.test(code) || this.codes.size >= MAX_CODES) return 'other';
    this.codes.add(code);
    return code;
  }
}
