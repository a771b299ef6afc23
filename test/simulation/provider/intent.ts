/** A payer's attempt to pay an intent, with the provider's field names. */
export interface SimulatedAttempt {
  readonly id: string;
  status: string | null;
  response: string | null;
  readonly method: 'card' | 'sepa';
  readonly mandateId: string | null;
  readonly createdMs: number;
  /**
   * The time at which the authorization expires unless it is captured; null before the
   * authorization.
   */
  expiresMs: number | null;
}

export interface SimulatedRefund {
  readonly id: string;
  readonly amount: number;
  readonly createdMs: number;
  /** Whether the payer's bank will accept the refund. */
  readonly honored: boolean;
  status: 'to_refund' | 'refund_sent' | 'refunded' | 'not_honored' | 'failed';
}

export interface SimulatedDispute {
  readonly id: string;
  readonly amount: number;
  readonly response: string;
  readonly type: 'chargeback' | 'sepa_return';
  readonly createdMs: number;
  status: string;
}

export interface SimulatedIntent {
  readonly id: string;
  readonly accountId: string;
  readonly amount: number;
  readonly currency: string;
  readonly orderId: string | null;
  readonly uniqueId: string | null;
  readonly createdMs: number;
  status: string;
  /** Whether the provider has deleted the intent, so that no request finds it. */
  isForgotten: boolean;
  readonly attempts: SimulatedAttempt[];
  readonly refunds: SimulatedRefund[];
  readonly disputes: SimulatedDispute[];
}

/** What the payer and the payer's bank do after the payment was accepted. */
export interface Scenario {
  /**
   * The reason code with which a direct debit is returned instead of settled; null when it settles.
   */
  readonly returned: string | null;
  /** The payer's dispute; null when the payer does not dispute the payment. */
  readonly disputed: {
    readonly afterMs: number;
    readonly response: string;
    readonly decided?: { readonly afterMs: number; readonly status: 'won' | 'lost' };
  } | null;
}

export const latestOf = ({ attempts }: SimulatedIntent): SimulatedAttempt | undefined =>
  attempts.at(-1);

const seconds = (ms: number): number => Math.floor(ms / 1_000);

export const intentAnswer = (intent: SimulatedIntent) => ({
  id: intent.id,
  status: intent.status,
  amount: intent.amount,
  currency: intent.currency,
  capture: false,
  url: `https://pay.example/${intent.id}`,
  created_at: seconds(intent.createdMs),
  order_id: intent.orderId,
  unique_id: intent.uniqueId,
  customer: null,
  payment: latestOf(intent)?.id ?? null,
  methods_allowed: null,
  threeds: null,
  return_url: null,
});

const CARD = { id: 'card_aaaaaaaaaaaaaaaaaaaaaaaa', brand: 'visa', last4: '0012', country: 'FR' };

export const paymentAnswer = (intent: SimulatedIntent, attempt: SimulatedAttempt) => ({
  id: attempt.id,
  status: attempt.status,
  amount: intent.amount,
  currency: intent.currency,
  created: seconds(attempt.createdMs),
  response: attempt.response,
  auth: attempt.method === 'card' ? { status: 'success' } : null,
  method: attempt.method,
  card: attempt.method === 'card' ? CARD : null,
  customer: null,
  payment_intent: intent.id,
  sepa: attempt.mandateId === null ? null : { id: attempt.mandateId, last4: '3000', mandate: null },
  order_id: intent.orderId,
  unique_id: null,
  capture: false,
  fee: null,
  payout: null,
  date_settlement: null,
  date_bank: null,
});

export const refundAnswer = (intent: SimulatedIntent, refund: SimulatedRefund) => ({
  id: refund.id,
  amount: refund.amount,
  currency: intent.currency,
  payment: latestOf(intent)?.id ?? null,
  created: seconds(refund.createdMs),
  status: refund.status,
  payout: null,
});

/**
 * The provider's fee for a dispute, in minor units; docs/provider/payments-completion.md#states.
 */
const DISPUTE_FEE_MINOR = 1_500;

export const disputeAnswer = (intent: SimulatedIntent, dispute: SimulatedDispute) => ({
  id: dispute.id,
  amount: dispute.amount,
  currency: intent.currency,
  payment: latestOf(intent)?.id ?? null,
  created: seconds(dispute.createdMs),
  response: dispute.response,
  fee: DISPUTE_FEE_MINOR,
  type: dispute.type,
  status: dispute.status,
  payout: null,
  order_id: intent.orderId,
});
