import { Inject, Injectable } from '@nestjs/common';
import type { Locale } from '../web/locale.js';
import type { Product } from './products.js';
import type { ShopConfig } from './shop-config.js';

export const SHOP_CONFIG = Symbol('SHOP_CONFIG');

const CALL_TIMEOUT_MS = 10_000;

/** The fields of an order that the shop uses. */
export interface ShopOrder {
  readonly id: string;
  readonly status: string;
  readonly description: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  readonly payment: {
    readonly id: string;
    readonly status: string;
    readonly pageUrl: string | null;
  } | null;
}

/**
 * The orchestrator returned an error or did not respond; `status` is the HTTP status, or 0 without
 * a response.
 */
export class OrdersApiError extends Error {
  override readonly name = 'OrdersApiError';

  constructor(
    readonly status: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The shop server's requests to the orchestrator. The API key never leaves the server. */
@Injectable()
export class OrdersApi {
  constructor(@Inject(SHOP_CONFIG) private readonly config: ShopConfig) {}

  /** Places an order. A repetition with the same `checkoutId` returns the first order. */
  placeOrder(
    product: Product,
    checkoutId: string,
    returnUrl: string,
    locale: Locale,
  ): Promise<ShopOrder> {
    const body = {
      merchantId: this.config.merchantId,
      reference: checkoutId,
      amountMinor: product.amountMinor,
      currency: 'eur',
      capture: { policy: 'automatic' },
      methods: ['card'],
      returnUrl,
      description: product.name[locale],
      metadata: { product: product.id },
    };
    return this.post('/v1/orders', body, checkoutId);
  }

  async readOrder(orderId: string): Promise<ShopOrder> {
    const response = await this.call(`/v1/orders/${orderId}`, {});
    return (await response.json()) as ShopOrder;
  }

  /**
   * Reports that the payer has finished the payment page; the orchestrator then reads the payment
   * from the provider. `key` is the idempotency key.
   */
  async pageCompleted(paymentId: string, key: string): Promise<void> {
    await this.post(`/v1/payments/${paymentId}/refresh`, { pageCompleted: true }, key);
  }

  /** The order's events as a stream that never ends by itself; `signal` aborts it. */
  events(orderId: string, lastEventId: string | null, signal: AbortSignal): Promise<Response> {
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
    };
    return this.call(`/v1/orders/${orderId}/events`, { headers, signal });
  }

  private async post<Answer>(path: string, body: object, key: string): Promise<Answer> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const response = await this.call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Answer;
  }

  private async call(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${this.config.apiKey}`);
    const signal = init.signal ?? AbortSignal.timeout(CALL_TIMEOUT_MS);
    let response: Response;
    try {
      response = await fetch(`${this.config.apiUrl}${path}`, { ...init, headers, signal });
    } catch (error) {
      throw new OrdersApiError(0, `${path} was not answered`, { cause: error });
    }
    if (response.ok) return response;
    const reason = await response.text();
    throw new OrdersApiError(response.status, `${path}: ${reason.slice(0, 500)}`);
  }
}
