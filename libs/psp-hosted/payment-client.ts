import { assert } from '#kernel';
import {
  type CreateIntentBody, decodeDispute, decodeList, decodePayment, decodePaymentIntent,
  decodeRefund, decodeWebhookEndpoint, type WireDispute, type WireList, type WirePayment,
  type WirePaymentIntent, type WireRefund, type WireWebhookEndpoint,
} from './payment-wire.js';
import type { ProviderRequest, ProviderTransport } from './provider-transport.js';
import { isIdOf, MalformedWire } from './wire-decode.js';

/** The largest page the API gives, and the most pages we read before we doubt the list. */
const PAGE_LIMIT = 100;
const MAX_PAGES = 50;

const INTENTS = '/v2/payment_intents/';
const INTENT = '/v2/payment_intents/{id}';

const listedIntents = decodeList('payment_intents', decodePaymentIntent);
const listedPayments = decodeList('payments', decodePayment);
const listedRefunds = decodeList('refunds', decodeRefund);
const listedDisputes = decodeList('disputes', decodeDispute);
const listedEndpoints = decodeList('webhook_endpoints', decodeWebhookEndpoint);

/** An answer about another object than the one asked for settles nothing about it. */
const about =
  <T extends { readonly id: string }>(id: string, decode: (value: unknown) => T) =>
  (value: unknown): T => {
    const object = decode(value);
    if (object.id !== id) throw new MalformedWire('id must be the one asked for');
    return object;
  };

/**
 * The payment API with one account's key: wire shapes in and out, no meaning. Every method throws a
 * `ProviderError`: `ProviderRejected` (final no), `ProviderUnauthorized`, `ProviderRateLimited`,
 * `ProviderUnavailable` (certainly not done), and writes also `ProviderUnknownOutcome` (may have
 * been done: read before anything else). Reads are repeated within limits, writes never.
 */
export class PaymentClient {
  readonly #transport: Pick<ProviderTransport, 'send'>;
  readonly #apiKey: string;

  constructor(transport: Pick<ProviderTransport, 'send'>, apiKey: string) {
    this.#transport = transport;
    this.#apiKey = apiKey;
  }

  /** A 409 says that `unique_id` is taken: then, and when unknown, find it by `order_id`. */
  createIntent(body: CreateIntentBody): Promise<WirePaymentIntent> {
    const { methods_allowed: methods, ...rest } = body;
    const wire = methods === undefined ? rest : { ...rest, methods_allowed: methods.join(',') };
    const request = { method: 'POST', pathTemplate: INTENTS, body: wire } as const;
    return this.#send(request, decodePaymentIntent);
  }

  getIntent(intentId: string): Promise<WirePaymentIntent> {
    return this.#onIntent(intentId, { method: 'GET', pathTemplate: INTENT });
  }

  /** All intents that carry our reference, newest first; normally none or one. */
  async findIntentsByOrderId(orderId: string): Promise<readonly WirePaymentIntent[]> {
    const query = { order_id: orderId };
    const request = { method: 'GET', pathTemplate: INTENTS, query } as const;
    const listed = await this.#all(request, listedIntents);
    // A provider that passes over the filter would hand us other orders' intents as this one's.
    return listed.filter((intent) => intent.order_id === orderId);
  }

  /**
   * Captures an authorized intent; a second capture changes nothing. The provider answers 409
   * before `authorized`, after expiry or cancel.
   */
  captureIntent(intentId: string): Promise<WirePaymentIntent> {
    const pathTemplate = `${INTENT}/capture`;
    return this.#onIntent(intentId, { method: 'POST', pathTemplate });
  }

  /**
   * Debits an account by its signed mandate (`sepa_…`), with no payer present. The provider answers
   * 409 without a signed mandate, and where the intent takes no attempt now; 422 for an account
   * that is not there.
   */
  debitMandate(intentId: string, mandateId: string): Promise<WirePaymentIntent> {
    assert(isIdOf(mandateId, 'sepa'), 'a mandate is named by a sepa_ id');
    const body = { sepa: mandateId };
    return this.#onIntent(intentId, { method: 'PATCH', pathTemplate: INTENT, body });
  }

  /** Cancels, releasing an authorization; twice changes nothing; 409 from `capture_sent` on. */
  cancelIntent(intentId: string): Promise<WirePaymentIntent> {
    return this.#onIntent(intentId, { method: 'DELETE', pathTemplate: INTENT });
  }

  /** The attempts inside an intent, newest first. */
  listIntentPayments(intentId: string): Promise<readonly WirePayment[]> {
    return this.#allOf(intentId, 'payments', listedPayments);
  }

  /**
   * Gives `amountMinor` of a captured intent back, and again as often as it is sent: nothing tells
   * two of them apart. The provider answers 409 before the capture is sent, for more than is left,
   * and once the payment is disputed.
   */
  refundIntent(intentId: string, amountMinor: number): Promise<WireRefund> {
    assert(isIdOf(intentId, 'pi'), 'an intent is refunded by a pi_ id');
    const pathTemplate = `${INTENT}/refund`;
    const body = { amount: amountMinor };
    return this.#send({ method: 'POST', pathTemplate, id: intentId, body }, decodeRefund);
  }

  /** The refunds of an intent's payments, newest first. */
  listIntentRefunds(intentId: string): Promise<readonly WireRefund[]> {
    return this.#allOf(intentId, 'refunds', listedRefunds);
  }

  /** The disputes of an intent's payments, newest first. */
  listIntentDisputes(intentId: string): Promise<readonly WireDispute[]> {
    return this.#allOf(intentId, 'disputes', listedDisputes);
  }

  getPayment(paymentId: string): Promise<WirePayment> {
    assert(isIdOf(paymentId, 'paym'), 'a payment is read by a paym_ id');
    const request = { method: 'GET', pathTemplate: '/v2/payments/{id}', id: paymentId } as const;
    return this.#send(request, about(paymentId, decodePayment));
  }

  /** Registers an HTTPS address for events; the answer carries the signing secret. */
  createWebhookEndpoint(url: string): Promise<WireWebhookEndpoint> {
    const request = { method: 'POST', pathTemplate: '/v2/webhooks/', body: { url } } as const;
    return this.#send(request, decodeWebhookEndpoint);
  }

  /** All endpoints of this key with their secrets, newest first. */
  listWebhookEndpoints(): Promise<readonly WireWebhookEndpoint[]> {
    return this.#all({ method: 'GET', pathTemplate: '/v2/webhooks/' }, listedEndpoints);
  }

  #onIntent(
    intentId: string,
    request: Pick<ProviderRequest, 'method' | 'pathTemplate' | 'body'>,
  ): Promise<WirePaymentIntent> {
    assert(isIdOf(intentId, 'pi'), 'an intent is addressed by a pi_ id');
    return this.#send({ ...request, id: intentId }, about(intentId, decodePaymentIntent));
  }

  #allOf<T extends { readonly id: string }>(
    intentId: string, what: 'payments' | 'refunds' | 'disputes',
    decode: (value: unknown) => WireList<T>,
  ): Promise<readonly T[]> {
    assert(isIdOf(intentId, 'pi'), 'an intent is read by a pi_ id');
    return this.#all({ method: 'GET', pathTemplate: `${INTENT}/${what}`, id: intentId }, decode);
  }

  /**
   * A list to its end. An object made meanwhile pushes others to the next page, so what comes twice
   * is taken once; a list that does not end is unreadable rather than silently cut.
   */
  async #all<T extends { readonly id: string }>(
    request: ProviderRequest,
    decode: (value: unknown) => WireList<T>,
  ): Promise<readonly T[]> {
    const found = new Map<string, T>();
    for (let page = 0, start = 0, hasMore = true; hasMore; page += 1) {
      const query = { ...request.query, start, limit: PAGE_LIMIT };
      const list = await this.#send({ ...request, query }, (value) => {
        const decoded = decode(value);
        const isEndless = decoded.hasMore && (decoded.items.length === 0 || page + 1 >= MAX_PAGES);
        if (isEndless) throw new MalformedWire('range must come to an end');
        return decoded;
      });
      for (const item of list.items) found.set(item.id, found.get(item.id) ?? item);
      start += list.items.length;
      hasMore = list.hasMore;
    }
    return [...found.values()];
  }

  #send<T>(request: ProviderRequest, decode: (value: unknown) => T): Promise<T> {
    return this.#transport.send(this.#apiKey, request, decode);
  }
}
