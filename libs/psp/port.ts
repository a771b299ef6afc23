import type { Calendar } from './calendar.js';
import type { Capabilities } from './capabilities.js';
import type {
  ListedDispute,
  ListedPayment,
  ListedRefund,
  PaymentFacts,
  PayoutFacts,
  MadeRefundFacts,
  ShownIntent,
} from './facts.js';
import type { Onboarding } from './onboarding.js';
import type { Operation } from './operation.js';
import type { AccountMode } from './provider-account.js';

/**
 * The port: the operations of any provider, in our words. Each method sends requests with the API
 * key of one account, and throws a `ProviderError`: `ProviderRejected` (final),
 * `ProviderUnauthorized`, `ProviderRateLimited`, `ProviderUnavailable` (certainly not executed),
 * `CapabilityMissing` (not supported by the provider), and for writes also `ProviderUnknownOutcome`
 * (possibly executed: read the result before anything else). An adapter may repeat a read, but
 * never a write.
 */

/** The fields of a new intent; its capture is a separate request. */
export interface NewIntent {
  /**
   * The id of our payment. The provider creates at most one intent for each id, and the intent can
   * be found by this id.
   */
  readonly reference: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly methods: readonly string[];
  readonly description: string | null;
  readonly returnUrl: string | null;
}

/** The fields of a capture of an intent. */
export interface NewCapture {
  /** The id of our capture. The provider makes at most one capture for each id. */
  readonly reference: string;
  /**
   * The amount; null: the whole authorized amount. Must be null if the provider captures only whole
   * amounts.
   */
  readonly amountMinor: number | null;
  /** Whether the rest of the authorization is released after this capture. */
  readonly isFinal: boolean;
}

/** A capture of the whole authorized amount. */
export const wholeCapture = (reference: string): NewCapture => ({
  reference,
  amountMinor: null,
  isFinal: true,
});

/** The operations on payment intents; ids are the provider's. */
export interface Payments {
  /**
   * Creates an intent. Rejected with 409 if there is already an intent with the reference. In that
   * case, and after an unknown result, find the intent by its reference.
   */
  createIntent(intent: NewIntent): Promise<ShownIntent>;
  getIntent(intentId: string): Promise<ShownIntent>;
  /** All intents whose reference is the id of our payment; normally at most one. */
  findIntents(reference: string): Promise<readonly ShownIntent[]>;
  /** Reads the attempts, refunds and disputes of an intent that was just read. */
  details(intent: ShownIntent): Promise<PaymentFacts>;
  /**
   * Captures an intent; repeating a capture with the same reference changes nothing. Rejected with
   * 409 if the intent's status does not allow a capture.
   */
  captureIntent(intentId: string, capture: NewCapture): Promise<ShownIntent>;
  /**
   * Releases an authorization; a repeated release changes nothing. Rejected with 409 if a release
   * is no longer possible.
   */
  cancelIntent(intentId: string): Promise<ShownIntent>;
  /**
   * Debits a mandate. Rejected with 409 if the mandate is not signed or the intent accepts no
   * attempt now, and with 422 if the bank account does not exist.
   */
  debitMandate(intentId: string, mandateId: string): Promise<ShownIntent>;
  /**
   * Makes a refund. A refund has no reference, so each call makes a further refund. Rejected with
   * 409 if the payment's status does not allow a refund.
   */
  refundIntent(intentId: string, amountMinor: number): Promise<MadeRefundFacts>;
}

/** The operations with which an intent is read, and found by our reference if its id is unknown. */
export type IntentReader = Pick<Payments, 'getIntent' | 'details' | 'findIntents'>;

/** A page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/**
 * A request for one page of a list: the objects created at or after `createdSince`, from the object
 * with number `start` on.
 */
export interface ListPage {
  /** In epoch seconds. */
  readonly createdSince: number;
  readonly start: number;
}

/**
 * The reads for reconciliation: payouts with their lines, and the lists of an account's payments,
 * refunds and disputes. Each page is one request.
 */
export interface Payouts {
  listPayouts(page: ListPage): Promise<Page<PayoutFacts>>;
  getPayout(payoutId: string): Promise<PayoutFacts>;
  payoutPayments(payoutId: string, start: number): Promise<Page<ListedPayment>>;
  payoutRefunds(payoutId: string, start: number): Promise<Page<ListedRefund>>;
  payoutDisputes(payoutId: string, start: number): Promise<Page<ListedDispute>>;
  listPayments(page: ListPage): Promise<Page<ListedPayment>>;
  listRefunds(page: ListPage): Promise<Page<ListedRefund>>;
  listDisputes(page: ListPage): Promise<Page<ListedDispute>>;
  /** One payment by the `attemptId` that these lists contain. */
  getPayment(attemptId: string): Promise<ListedPayment>;
}

export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  /** The secret with which the signatures of the endpoint's webhooks are verified. */
  readonly secret: string;
}

/** The webhook endpoints of an account, which the provider stores. */
export interface WebhookEndpoints {
  /** All webhook endpoints that this key can read, newest first. */
  listWebhookEndpoints(): Promise<readonly WebhookEndpoint[]>;
  createWebhookEndpoint(url: string): Promise<WebhookEndpoint>;
}

/** The API of a provider, used with the key of one account. */
export interface ProviderClient {
  readonly payments: Payments;
  readonly payouts: Payouts;
  readonly endpoints: WebhookEndpoints;
}

/** Delays each request until the call budget allows the request. */
export type Pace = <T>(call: () => Promise<T>) => Promise<T>;

/** A webhook as received. */
export interface WebhookDelivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The bytes of the body as received, because parsing and serialising the body could change them.
   */
  readonly rawBody: Uint8Array;
  /** The secret of the webhook endpoint. */
  readonly secret: string;
  /**
   * Wall time in epoch seconds, because the age of a signature is not measured in business time.
   */
  readonly nowSeconds: number;
}

/**
 * Which object to read, according to the body of a webhook. The other fields of the body are not
 * used, because the object itself is read.
 */
export interface WebhookHint {
  readonly eventId: string;
  /** The provider's own event type, for operators. */
  readonly type: string;
  /** The intent to read; null if the event is about no intent. */
  readonly intentId: string | null;
  /** The id of our payment, which is the reference of the object; null if it has none. */
  readonly reference: string | null;
  /** The status of the object at the time of the event. */
  readonly status: string | null;
}

/** The adapter of a provider, with everything that an app needs of it at its start. */
export interface ProviderAdapter {
  /** The provider's name, as stored in `provider_accounts.provider`. */
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly calendar: Calendar;
  /** Throws `Rejection('invalid_provider_key')` if the key is not valid for this mode. */
  checkKey(key: { readonly mode: AccountMode; readonly apiKey: string }): void;
  client(apiKey: string, pace?: Pace): ProviderClient;
  /** The onboarding client with a partner key; a partner key belongs to no account. */
  onboarding(partnerKey: string): Onboarding;
  /**
   * The operation of a recorded request, by its method and its path with `{id}`; null if the
   * provider has no such request.
   */
  operationOf(method: string, pathTemplate: string): Operation | null;
  /** Verifies the signature of a webhook. Never throws: a malformed signature is `wrong`. */
  checkWebhook(delivery: WebhookDelivery): 'verified' | 'unsigned' | 'wrong';
  /** Reads the body of a webhook; null if it is not an event. Verify the signature first. */
  readWebhook(rawBody: Uint8Array): WebhookHint | null;
}

/** One full read of an intent. Webhooks, polls and refreshes all use it. */
export const readPayment = async (
  payments: Pick<Payments, 'getIntent' | 'details'>,
  intentId: string,
): Promise<PaymentFacts> => payments.details(await payments.getIntent(intentId));
