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

/*
 * The port: what any provider can do, in our words. Each method makes calls with one account's key
 * and throws a `ProviderError`: `ProviderRejected` (final no), `ProviderUnauthorized`,
 * `ProviderRateLimited`, `ProviderUnavailable` (certainly not done), `CapabilityMissing` (this
 * provider cannot), and writes also `ProviderUnknownOutcome` (may have been done: read before
 * anything else). Reads may be repeated by the adapter, writes never.
 */

/** What an intent is created with; it is captured by a call of its own. */
export interface NewIntent {
  /** Our payment's id: the provider makes one intent of it, and finds it by it. */
  readonly reference: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly methods: readonly string[];
  readonly description: string | null;
  readonly returnUrl: string | null;
}

/** What is captured of an intent. */
export interface NewCapture {
  /** Our capture's id: the provider makes one capture of it. */
  readonly reference: string;
  /** Null: all that is authorized, which every provider captures. */
  readonly amountMinor: number | null;
  /** What is left of the authorization after it is released. */
  readonly isFinal: boolean;
}

/** All that is authorized. */
export const wholeCapture = (reference: string): NewCapture => ({
  reference,
  amountMinor: null,
  isFinal: true,
});

/** Payment intents, by the provider's id of them. */
export interface Payments {
  /** Rejected with 409 where the reference has an intent: then, and when unknown, find it. */
  createIntent(intent: NewIntent): Promise<ShownIntent>;
  getIntent(intentId: string): Promise<ShownIntent>;
  /** All intents that say that they are of our payment; normally none or one. */
  findIntents(reference: string): Promise<readonly ShownIntent[]>;
  /** Completes an intent that was just read by its attempts, refunds and disputes. */
  details(intent: ShownIntent): Promise<PaymentFacts>;
  /** The same capture sent again changes nothing. 409: it cannot be, now. */
  captureIntent(intentId: string, capture: NewCapture): Promise<ShownIntent>;
  /** Releases an authorization; twice changes nothing. 409: it is too late. */
  cancelIntent(intentId: string): Promise<ShownIntent>;
  /** 409: the mandate is not signed, or the intent takes no attempt now; 422: no such account. */
  debitMandate(intentId: string, mandateId: string): Promise<ShownIntent>;
  /** Each call makes another refund: nothing tells two of them apart. 409: it cannot be, now. */
  refundIntent(intentId: string, amountMinor: number): Promise<RefundFacts>;
}

/** What it takes to read an intent, and to find it by our reference where its id is not known. */
export type IntentReader = Pick<Payments, 'getIntent' | 'details' | 'findIntents'>;

/** A page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** Which part of a list is read: what was made at or after `createdSince`, from `start` on. */
export interface ListPage {
  /** Epoch seconds. */
  readonly createdSince: number;
  readonly start: number;
}

/** What money is followed by: payouts with their lines, and an account's lists. A page is a call. */
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
  /** Verifies what the endpoint receives. Secret. */
  readonly secret: string;
}

/** Where the provider sends an account's webhooks. */
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

/** Makes each call when it may be made, e.g. within a budget. */
export type Pace = <T>(call: () => Promise<T>) => Promise<T>;

/** A webhook as it came. */
export interface WebhookDelivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body's bytes as received: parsing and writing them again would change them. */
  readonly rawBody: Uint8Array;
  /** The endpoint's. */
  readonly secret: string;
  /** Wall time in epoch seconds: the age of a signature is network time. */
  readonly nowSeconds: number;
}

/** What a webhook names to be read; what else it says is only a hint. */
export interface WebhookHint {
  readonly eventId: string;
  /** The provider's own word for what happened, for people. */
  readonly type: string;
  /** The intent that is to be read; null: nothing of ours follows from it. */
  readonly intentId: string | null;
  /** What the object showed when the event was made. */
  readonly reference: string | null;
  readonly status: string | null;
}

/** One provider: the only thing that composition knows of it. */
export interface ProviderAdapter {
  /** As `provider_accounts.provider` names it. */
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly calendar: Calendar;
  /** Throws `Rejection('invalid_provider_key')` unless the key is one of this mode. */
  checkKey(key: { readonly mode: AccountMode; readonly apiKey: string }): void;
  client(apiKey: string, pace?: Pace): ProviderClient;
  /** With a partner's key, which is none of an account. */
  onboarding(partnerKey: string): Onboarding;
  /** Never an exception: what is malformed is `wrong`. */
  checkWebhook(delivery: WebhookDelivery): 'verified' | 'unsigned' | 'wrong';
  /** Null: the body is no event. Check it first. */
  readWebhook(rawBody: Uint8Array): WebhookHint | null;
}

/** One full read of an intent, for every way in which provider facts arrive. */
export const readPayment = async (
  payments: Pick<Payments, 'getIntent' | 'details'>,
  intentId: string,
): Promise<PaymentFacts> => payments.details(await payments.getIntent(intentId));
