import type { Calendar } from './calendar.js';
import type { Capabilities } from './capabilities.js';
import type {
  ListedDispute,
  ListedPayment,
  ListedRefund,
  PaymentFacts,
  PayoutFacts,
  RefundFacts,
  ShownIntent,
} from './facts.js';
import type { Onboarding } from './onboarding.js';
import type { AccountMode } from './provider-account.js';

/**
 * The port: the operations of any provider, in our words. Each method makes calls with one
 * account's key and throws a `ProviderError`: `ProviderRejected` (final), `ProviderUnauthorized`,
 * `ProviderRateLimited`, `ProviderUnavailable` (certainly not done), `CapabilityMissing` (this
 * provider cannot), and writes also `ProviderUnknownOutcome` (may have been done: read before
 * anything else). An adapter may repeat reads, never writes.
 */

/** The fields of a new intent; its capture is a call of its own. */
export interface NewIntent {
  /** Our payment's id: the provider creates one intent for it, and finds the intent by it. */
  readonly reference: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly methods: readonly string[];
  readonly description: string | null;
  readonly returnUrl: string | null;
}

/** The fields of a capture of an intent. */
export interface NewCapture {
  /** Our capture's id: the provider makes one capture for it. */
  readonly reference: string;
  /** Null: all that is authorized. Sent where the provider captures whole amounts only. */
  readonly amountMinor: number | null;
  /** The rest of the authorization is released afterwards. */
  readonly isFinal: boolean;
}

/** The whole authorized amount. */
export const wholeCapture = (reference: string): NewCapture => ({
  reference,
  amountMinor: null,
  isFinal: true,
});

/** Payment intents, by the provider's ids. */
export interface Payments {
  /**
   * Rejected with 409 where the reference has an intent: then, and after an unknown result, find
   * it.
   */
  createIntent(intent: NewIntent): Promise<ShownIntent>;
  getIntent(intentId: string): Promise<ShownIntent>;
  /** All intents that carry our payment's id; normally none or one. */
  findIntents(reference: string): Promise<readonly ShownIntent[]>;
  /** Completes an intent that was just read with its attempts, refunds and disputes. */
  details(intent: ShownIntent): Promise<PaymentFacts>;
  /** Repeating a capture changes nothing. 409: the present state forbids it. */
  captureIntent(intentId: string, capture: NewCapture): Promise<ShownIntent>;
  /** Releases an authorization; repeating it changes nothing. 409: it is too late. */
  cancelIntent(intentId: string): Promise<ShownIntent>;
  /** 409: the mandate is not signed, or the intent accepts no attempt now; 422: no such account. */
  debitMandate(intentId: string, mandateId: string): Promise<ShownIntent>;
  /** Each call makes another refund: no reference identifies one. 409: the state forbids it. */
  refundIntent(intentId: string, amountMinor: number): Promise<RefundFacts>;
}

/** The calls that read an intent, and find it by our reference where its id is unknown. */
export type IntentReader = Pick<Payments, 'getIntent' | 'details' | 'findIntents'>;

/** A page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** The part of a list: objects created at or after `createdSince`, from `start` on. */
export interface ListPage {
  /** Epoch seconds. */
  readonly createdSince: number;
  readonly start: number;
}

/**
 * The reads that follow money: payouts with their lines, and an account's lists. A page is a call.
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
  /** One payment of those lists, by its `attemptId`. */
  getPayment(attemptId: string): Promise<ListedPayment>;
}

export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  /** Verifies the endpoint's webhooks. Secret. */
  readonly secret: string;
}

/** The provider's destinations of an account's webhooks. */
export interface WebhookEndpoints {
  /** All of this key, newest first. */
  listWebhookEndpoints(): Promise<readonly WebhookEndpoint[]>;
  createWebhookEndpoint(url: string): Promise<WebhookEndpoint>;
}

/** A provider's API with one account's key. */
export interface ProviderClient {
  readonly payments: Payments;
  readonly payouts: Payouts;
  readonly endpoints: WebhookEndpoints;
}

/** Delays each call until it may be made, e.g. within a budget. */
export type Pace = <T>(call: () => Promise<T>) => Promise<T>;

/** A webhook as received. */
export interface WebhookDelivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body's bytes as received: parsing and writing them again would change them. */
  readonly rawBody: Uint8Array;
  /** The endpoint's. */
  readonly secret: string;
  /** Wall time in epoch seconds: the age of a signature is network time. */
  readonly nowSeconds: number;
}

/** The object that a webhook names for a read; its other contents are only a hint. */
export interface WebhookHint {
  readonly eventId: string;
  /** The provider's own event type, for operators. */
  readonly type: string;
  /** The intent to read; null: the event concerns no intent. */
  readonly intentId: string | null;
  /** The object's status at the event. */
  readonly reference: string | null;
  readonly status: string | null;
}

/** One provider: the only type that composition uses of it. */
export interface ProviderAdapter {
  /** As `provider_accounts.provider` names it. */
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly calendar: Calendar;
  /** Throws `Rejection('invalid_provider_key')` unless the key is one of this mode. */
  checkKey(key: { readonly mode: AccountMode; readonly apiKey: string }): void;
  client(apiKey: string, pace?: Pace): ProviderClient;
  /** With a partner's key, which belongs to no account. */
  onboarding(partnerKey: string): Onboarding;
  /** Never throws: a malformed signature is `wrong`. */
  checkWebhook(delivery: WebhookDelivery): 'verified' | 'unsigned' | 'wrong';
  /** Null: the body is no event. Check its signature first. */
  readWebhook(rawBody: Uint8Array): WebhookHint | null;
}

/** One full read of an intent, shared by all ways in which provider facts arrive. */
export const readPayment = async (
  payments: Pick<Payments, 'getIntent' | 'details'>,
  intentId: string,
): Promise<PaymentFacts> => payments.details(await payments.getIntent(intentId));
