import type { TimelineEntry } from '../entity/entity-types';

export interface Capture {
  readonly captureId: string;
  readonly amountMinor: number;
  readonly status: 'requested' | 'accepted' | 'sent' | 'captured' | 'failed';
  readonly isFinal?: true;
  readonly at: string;
}

export interface Refund {
  readonly status:
    | 'queued'
    | 'requested'
    | 'rejected'
    | 'to_refund'
    | 'refund_sent'
    | 'refunded'
    | 'not_honored'
    | 'failed';
  readonly amountMinor: number;
  /** Our refund request; null for a refund that was made directly at the provider. */
  readonly requestId: string | null;
  readonly refundId?: string;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly rejection?: string;
  /** When a delayed refund will be sent to the provider. */
  readonly expectedAt?: string;
  readonly createdAt: string;
}

export interface Dispute {
  readonly disputeId: string;
  readonly kind: 'chargeback' | 'sepa_return';
  readonly amountMinor: number;
  readonly reasonCode: string;
  readonly status:
    | 'open'
    | 'evidence_pending'
    | 'evidence_sent'
    | 'evidence_verification'
    | 'accepted'
    | 'won'
    | 'lost'
    | 'out_of_time'
    | 'not_contestable';
  readonly isReversed?: true;
  readonly createdAt: string;
}

/** The state of a payment, as `GET /v1/entities/payment/…` returns it. */
export interface PaymentState {
  readonly status?: string;
  readonly terms?: {
    readonly amountMinor: number;
    readonly currency: string;
    readonly orderId: string;
    readonly merchantId?: string;
    readonly methods: readonly ('card' | 'sepa')[];
  };
  readonly reason?: string;
  readonly cancel?: string | null;
  readonly expiresAt?: string;
  readonly releasedMinor?: number | null;
  readonly captures?: readonly Capture[];
  readonly refunds?: readonly Refund[];
  readonly rejectedRefunds?: readonly string[];
  readonly disputes?: readonly Dispute[];
}

type State = Readonly<Record<string, unknown>>;

/** The state of a payment; its captures, refunds and disputes are empty for any other state. */
export const paymentStateOf = (
  state: State,
): PaymentState & Required<Pick<PaymentState, 'captures' | 'refunds' | 'disputes'>> => ({
  captures: [],
  refunds: [],
  disputes: [],
  ...(state as PaymentState),
});

/** Whether a capture is requested but not yet confirmed by the provider. */
export const isCaptureRequestedIn = (state: State): boolean =>
  paymentStateOf(state).captures.some(({ status }) => status === 'requested');

/** The failed refunds in the state of a payment that are neither reissued nor abandoned. */
export const rejectedRefundsIn = (state: State): readonly Refund[] => {
  const { rejectedRefunds = [], refunds } = paymentStateOf(state);
  return refunds.filter(
    ({ requestId }) => requestId !== null && rejectedRefunds.includes(requestId),
  );
};

/** The method of an attempt, as an event records it. */
export interface MethodDetails {
  readonly method: 'card' | 'sepa';
  readonly brand?: string;
  readonly last4?: string;
  readonly country?: string;
  readonly authentication?: 'succeeded' | 'declined' | 'failed' | 'expired' | 'unavailable';
}

const ACCEPTED = ['PaymentAuthorized', 'DirectDebitAccepted'];

/** The facts that the payer's attempts show: the payment method, and the declines. */
export interface Attempts {
  /** The accepted attempt, or else the last declined one; null: no attempt. */
  readonly latest: TimelineEntry | null;
  readonly isAccepted: boolean;
  readonly isDebit: boolean;
  readonly details: MethodDetails | null;
  /** The bank's code of each declined attempt, oldest first. */
  readonly declineCodes: readonly (string | null)[];
  /** The returned direct debit; null: none was returned before its capture. */
  readonly returned: TimelineEntry | null;
}

/** Reads the attempts from the events of a payment, oldest first. */
export const attemptsIn = (events: readonly TimelineEntry[]): Attempts => {
  const declined = events.filter(({ name }) => name === 'AttemptRefused');
  const accepted = events.findLast(({ name }) => ACCEPTED.includes(name));
  const latest = accepted ?? declined.at(-1) ?? null;
  return {
    latest,
    isAccepted: accepted !== undefined,
    isDebit: accepted?.name === 'DirectDebitAccepted',
    details: (latest?.data['methodDetails'] as MethodDetails | undefined) ?? null,
    declineCodes: declined.map(({ data }) => data['responseCode'] as string | null),
    returned: events.find(({ name }) => name === 'DirectDebitReturned') ?? null,
  };
};

const sumOf = (items: readonly { readonly amountMinor: number }[]): number =>
  items.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

const withStatus = <Item extends { readonly status: string; readonly amountMinor: number }>(
  items: readonly Item[],
  ...statuses: readonly Item['status'][]
): number => sumOf(items.filter(({ status }) => statuses.includes(status)));

/** The amounts of a payment in minor units. */
export const amountsOf = (state: State) => {
  const { captures, refunds, disputes } = paymentStateOf(state);
  return {
    captured: withStatus(captures, 'sent', 'captured'),
    captureInProgress: withStatus(captures, 'requested', 'accepted'),
    refunded: withStatus(refunds, 'refunded'),
    refundInProgress: withStatus(refunds, 'queued', 'requested', 'to_refund', 'refund_sent'),
    chargedBack: sumOf(disputes.filter(({ isReversed }) => isReversed !== true)),
  };
};
