import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The fields of the api's responses that the tools and specs read. */
export interface PaymentView {
  readonly id: string;
  readonly status: string;
  readonly pageUrl: string | null;
  readonly confirmation: 'confirmed' | 'unconfirmed' | null;
  readonly unknownResults: readonly string[];
  readonly refunds: readonly RefundView[];
  readonly disputes: readonly Readonly<Record<string, unknown>>[];
}

export interface RefundView {
  readonly id: string;
  readonly status: string;
  readonly amountMinor: number;
  readonly providerRefundId: string | null;
  readonly requested: boolean;
}

export interface OrderView {
  readonly id: string;
  readonly status: string;
  readonly payment: PaymentView | null;
  readonly refundedMinor: number;
  readonly chargedBackMinor: number;
}

export interface OrderRequest {
  readonly reference: string;
  readonly amountMinor: number;
  /** `eur` unless given. */
  readonly currency?: string;
  readonly capture: { readonly policy: string; readonly delay?: string };
  readonly methods?: readonly ('card' | 'sepa')[];
  readonly mandateId?: string;
  readonly expiresIn?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** No api gave a final response to a request, although the platform repeated it until its limit. */
export class NoFinalResponse extends Error {
  override readonly name = 'NoFinalResponse';
}

const TRY_MS = 10_000;
/** The first and the longest pause in milliseconds; each pause is twice as long as the last. */
const PAUSE_MS = 60;
const LONGEST_PAUSE_MS = 480;

/**
 * Whether the result of the request is still open, as after a 503. The platform then repeats the
 * request under the same Idempotency-Key.
 */
const isUndecided = ({ status, body }: Answer): boolean =>
  status >= 500 || status === 429 || body['code'] === 'request_in_progress';

/**
 * A platform that repeats a request under the same Idempotency-Key, at each api in turn, until it
 * gets a final response.
 */
export class Platform {
  private turn = 0;

  constructor(
    private readonly apiUrls: readonly string[],
    private readonly apiKey: string,
    private readonly merchantId: string,
  ) {}

  /** The platform of a stack, which sends its requests to all of the stack's apis. */
  static of(stack: {
    readonly apis: readonly { readonly url: string }[];
    readonly apiKey: string;
    readonly merchantId: string;
  }): Platform {
    const urls = stack.apis.map(({ url }) => url);
    return new Platform(urls, stack.apiKey, stack.merchantId);
  }

  /** A copy of this platform that sends requests only to the api with this index. */
  only(index: number): Platform {
    const apiUrl = this.apiUrls[index % this.apiUrls.length] ?? '';
    return new Platform([apiUrl], this.apiKey, this.merchantId);
  }

  /** Sends a request once; rejects when there is no response. */
  async send(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    idempotencyKey: string = randomUUID(),
  ): Promise<Answer> {
    const apiUrl = this.apiUrls[this.turn % this.apiUrls.length] ?? '';
    this.turn += 1;
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        ...(method === 'POST'
          ? { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
          : {}),
      },
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
      signal: AbortSignal.timeout(TRY_MS),
    });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  }

  /**
   * Repeats a request until its response is final. After `withinMs`, rejects with `NoFinalResponse`.
   */
  async surely(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    { key = randomUUID(), withinMs = 180_000 }: { key?: string; withinMs?: number } = {},
  ): Promise<Answer> {
    const deadlineMs = Date.now() + withinMs;
    for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      let cause: unknown;
      try {
        const answer = await this.send(method, path, body, key);
        if (!isUndecided(answer)) return answer;
        cause = answer;
      } catch (error) {
        cause = error;
      }
      if (Date.now() > deadlineMs) {
        const last = cause instanceof Error ? cause.message : JSON.stringify(cause);
        throw new NoFinalResponse(`no final response to ${method} ${path}, but ${last}`, { cause });
      }
      await sleep(pauseMs);
    }
  }

  place(order: OrderRequest, key?: string): Promise<Answer> {
    const body = {
      merchantId: this.merchantId,
      currency: 'eur',
      methods: ['card'],
      ...order,
    };
    return this.surely('POST', '/v1/orders', body, key === undefined ? {} : { key });
  }

  async read(orderId: string): Promise<OrderView> {
    return (await this.surely('GET', `/v1/orders/${orderId}`)).body as unknown as OrderView;
  }

  cancel(orderId: string): Promise<Answer> {
    return this.surely('POST', `/v1/orders/${orderId}/cancel`);
  }

  capture(orderId: string): Promise<Answer> {
    return this.surely('POST', `/v1/orders/${orderId}/capture`);
  }

  /** Requests a refresh of the payment; repeats the request until it succeeds. */
  refresh(paymentId: string): Promise<Answer> {
    return this.surely('POST', `/v1/payments/${paymentId}/refresh`);
  }

  /** Refunds an amount; without `amountMinor`, the whole remaining amount. */
  refund(orderId: string, body: { readonly amountMinor?: number } = {}): Promise<Answer> {
    return this.surely('POST', `/v1/orders/${orderId}/refunds`, body);
  }

  /**
   * Reports to the api that the payment page has finished, by a refresh. Does not repeat the
   * request.
   */
  pageCompleted(paymentId: string): Promise<Answer> {
    return this.send('POST', `/v1/payments/${paymentId}/refresh`, { pageCompleted: true });
  }
}
