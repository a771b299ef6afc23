import { assert } from '#kernel';
import {
  CapabilityMissing,
  type NewCapture,
  type NewIntent,
  type Page,
  type PaymentFacts,
  type Payments,
  type MadeRefundFacts,
  type ShownIntent,
  type WebhookEndpoint,
  type WebhookEndpoints,
} from '#psp';
import { attemptOfIntent, disputeOf, intentOf, refundOf } from './payment-facts.js';
import {
  type CreateIntentBody,
  decodeDispute,
  decodeList,
  decodePayment,
  decodePaymentIntent,
  decodeRefund,
  decodeWebhookEndpoint,
  type WirePayment,
} from './payment-wire.js';
import type { ProviderRequest } from './provider-request.js';
import type { ProviderTransport } from './provider-transport.js';
import { mayBeDisputed, mayBeRefunded, statusWithAttempt } from './statuses.js';
import { isIdOf, MalformedWire } from './wire-decode.js';

/**
 * The maximum number of items on a page, and the number of pages after which a list is considered
 * endless.
 */
const PAGE_LIMIT = 100;
const MAX_PAGES = 50;

const INTENTS = '/v2/payment_intents/';
const INTENT = '/v2/payment_intents/{id}';

const listedIntents = decodeList('payment_intents', decodePaymentIntent);
const listedPayments = decodeList('payments', decodePayment);
const listedRefunds = decodeList('refunds', decodeRefund);
const listedDisputes = decodeList('disputes', decodeDispute);
const listedEndpoints = decodeList('webhook_endpoints', decodeWebhookEndpoint);

const shownIntent = (value: unknown): ShownIntent => intentOf(decodePaymentIntent(value));

const bodyOf = (intent: NewIntent): CreateIntentBody => ({
  amount: intent.amountMinor,
  currency: intent.currency,
  // The provider must not capture the intent itself, because we capture with a separate request.
  capture: false,
  order_id: intent.reference,
  unique_id: intent.reference,
  methods_allowed: intent.methods.join(','),
  ...(intent.description === null ? {} : { description: intent.description }),
  ...(intent.returnUrl === null ? {} : { return_url: intent.returnUrl }),
});

const isAttemptOf = (intentId: string, { payment_intent: of }: WirePayment): boolean =>
  of === null || of === intentId;

/**
 * The client of the payment API with the key of one provider account; the interface (port)
 * documents each method.
 */
export class PaymentClient implements Payments, WebhookEndpoints {
  readonly #transport: Pick<ProviderTransport, 'send'>;
  readonly #apiKey: string;

  constructor(transport: Pick<ProviderTransport, 'send'>, apiKey: string) {
    this.#transport = transport;
    this.#apiKey = apiKey;
  }

  createIntent(intent: NewIntent): Promise<ShownIntent> {
    const request = { method: 'POST', pathTemplate: INTENTS, body: bodyOf(intent) } as const;
    return this.#send(request, shownIntent);
  }

  getIntent(intentId: string): Promise<ShownIntent> {
    return this.#onIntent(intentId, { method: 'GET', pathTemplate: INTENT });
  }

  async findIntents(reference: string): Promise<readonly ShownIntent[]> {
    const query = { order_id: reference };
    const request = { method: 'GET', pathTemplate: INTENTS, query } as const;
    const listed = (await this.#all(request, listedIntents)).map(intentOf);
    // The reference is compared here, too: a provider that ignored the filter would return intents
    // with other references.
    return listed.filter((intent) => intent.reference === reference);
  }

  /**
   * The intent was read before these lists, so the lists contain everything that the intent's
   * status implies. Disputes are read before refunds, so that a read with a dispute also shows each
   * refund that failed because of the dispute.
   */
  async details({ hasAttempt, ...intent }: ShownIntent): Promise<PaymentFacts> {
    const { intentId } = intent;
    const attempts = hasAttempt
      ? await this.#allOf(intentId, 'payments', listedPayments, (one) => isAttemptOf(intentId, one))
      : [];
    const isOfAttempt = ({ payment }: { readonly payment: string }): boolean =>
      attempts.some(({ id }) => id === payment);
    const status = statusWithAttempt(intent.status, attempts[0]?.status ?? null);
    const disputes = mayBeDisputed(status)
      ? await this.#allOf(intentId, 'disputes', listedDisputes, isOfAttempt)
      : null;
    const refunds = mayBeRefunded(status)
      ? await this.#allOf(intentId, 'refunds', listedRefunds, isOfAttempt)
      : null;
    return {
      intent: { ...intent, status },
      attempts: attempts.map(attemptOfIntent).toReversed(),
      refunds: refunds?.map(refundOf).toReversed() ?? null,
      disputes: disputes?.map(disputeOf).toReversed() ?? null,
    };
  }

  /** The provider's capture request has no body, so an amount or our reference cannot be sent. */
  async captureIntent(intentId: string, { amountMinor }: NewCapture): Promise<ShownIntent> {
    if (amountMinor !== null) throw new CapabilityMissing('partialCapture');
    const pathTemplate = `${INTENT}/capture`;
    return this.#onIntent(intentId, { method: 'POST', pathTemplate });
  }

  debitMandate(intentId: string, mandateId: string): Promise<ShownIntent> {
    assert(isIdOf(mandateId, 'sepa'), 'invalid mandate id: it must begin with `sepa_`');
    const body = { sepa: mandateId };
    return this.#onIntent(intentId, { method: 'PATCH', pathTemplate: INTENT, body });
  }

  cancelIntent(intentId: string): Promise<ShownIntent> {
    return this.#onIntent(intentId, { method: 'DELETE', pathTemplate: INTENT });
  }

  refundIntent(intentId: string, amountMinor: number): Promise<MadeRefundFacts> {
    assert(isIdOf(intentId, 'pi'), 'invalid intent id: it must begin with `pi_`');
    const pathTemplate = `${INTENT}/refund`;
    const body = { amount: amountMinor };
    return this.#send({ method: 'POST', pathTemplate, id: intentId, body }, (value) => {
      const refund = decodeRefund(value);
      return { ...refundOf(refund), attemptId: refund.payment };
    });
  }

  createWebhookEndpoint(url: string): Promise<WebhookEndpoint> {
    const request = { method: 'POST', pathTemplate: '/v2/webhooks/', body: { url } } as const;
    return this.#send(request, decodeWebhookEndpoint);
  }

  listWebhookEndpoints(): Promise<readonly WebhookEndpoint[]> {
    return this.#all({ method: 'GET', pathTemplate: '/v2/webhooks/' }, listedEndpoints);
  }

  #onIntent(
    intentId: string,
    request: Pick<ProviderRequest, 'method' | 'pathTemplate' | 'body'>,
  ): Promise<ShownIntent> {
    assert(isIdOf(intentId, 'pi'), 'invalid intent id: it must begin with `pi_`');
    return this.#send({ ...request, id: intentId }, (value) => {
      const intent = shownIntent(value);
      // A response about an object that was not requested is rejected.
      if (intent.intentId !== intentId)
        throw new MalformedWire('id must be the id of the requested object');
      return intent;
    });
  }

  /** Reads a list of the intent; a list that shows an object of another intent is rejected. */
  #allOf<T extends { readonly id: string }>(
    intentId: string,
    what: 'payments' | 'refunds' | 'disputes',
    decode: (value: unknown) => Page<T>,
    isOfIntent: (item: T) => boolean,
  ): Promise<readonly T[]> {
    assert(isIdOf(intentId, 'pi'), 'invalid intent id: it must begin with `pi_`');
    const pathTemplate = `${INTENT}/${what}`;
    return this.#all({ method: 'GET', pathTemplate, id: intentId }, (value) => {
      const page = decode(value);
      if (page.items.every(isOfIntent)) return page;
      throw new MalformedWire(`${what} must belong to the requested payment intent`);
    });
  }

  /**
   * Reads all pages of a list. If an object is created meanwhile, other objects move to the next
   * page, so an object that appears on two pages is returned once. A list that does not end is an
   * error; returning a part of it would hide objects.
   */
  async #all<T extends { readonly id: string }>(
    request: ProviderRequest,
    decode: (value: unknown) => Page<T>,
  ): Promise<readonly T[]> {
    const found = new Map<string, T>();
    for (let page = 0, start = 0, hasMore = true; hasMore; page += 1) {
      const query = { ...request.query, start, limit: PAGE_LIMIT };
      const list = await this.#send({ ...request, query }, (value) => {
        const decoded = decode(value);
        const isEndless = decoded.hasMore && (decoded.items.length === 0 || page + 1 >= MAX_PAGES);
        if (isEndless) throw new MalformedWire('the list must have an end');
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
