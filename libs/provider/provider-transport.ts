import {
  BrokenCircuitError, circuitBreaker, type CircuitBreakerPolicy, ConsecutiveBreaker,
  ExponentialBackoff, handleWhen, type IPolicy, noJitterGenerator, retry, wrap,
} from 'cockatiel';
import { Agent } from 'undici';
import { classifyOutcome } from './classify-outcome.js';
import { exchange } from './http-exchange.js';
import {
  type FailureReason, type ProviderCallTrace, ProviderUnavailable, ProviderUnknownOutcome,
} from './provider-error.js';

/** One call, apart from who makes it. */
export interface ProviderRequest {
  readonly method: ProviderCallTrace['method'];
  readonly pathTemplate: string;
  /** Fills `{id}` in the template; letters, digits and `_` only. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
}

/** Network limits, wall time in milliseconds, sizes in bytes. */
export interface TransportLimits {
  readonly connectTimeoutMs: number;
  /** From the request until the answer's headers, and the longest pause inside its body. */
  readonly answerTimeoutMs: number;
  /** One exchange as a whole, waiting for a free connection included. */
  readonly exchangeTimeoutMs: number;
  /** A read with its repeats: no repeat starts later, and none runs past it. */
  readonly readTimeoutMs: number;
  readonly readRepeats: number;
  readonly maxAnswerBytes: number;
  readonly connections: number;
  /** The circuit opens after so many failures in a row… */
  readonly breakerFailures: number;
  /** …and tries one call after so long, doubling up to 16 times as long while that fails. */
  readonly breakerRetryMs: number;
}

export const DEFAULT_LIMITS: TransportLimits = {
  connectTimeoutMs: 3_000,
  answerTimeoutMs: 10_000,
  exchangeTimeoutMs: 12_000,
  readTimeoutMs: 20_000,
  readRepeats: 2,
  maxAnswerBytes: 1_048_576,
  connections: 64,
  breakerFailures: 8,
  breakerRetryMs: 1_000,
};

/** Failures that may be over in a moment. An unreadable answer would be as unreadable again. */
const PASSING: ReadonlySet<FailureReason> = new Set([
  'unreachable', 'timeout', 'connection_lost', 'server_error',
]);

const isPassing = (error: Error): boolean =>
  error instanceof ProviderUnavailable && PASSING.has(error.reason);

/** What speaks against the provider's health. A rejection or a rate limit is a healthy answer. */
const isProviderFault = (error: Error): boolean =>
  error instanceof ProviderUnknownOutcome || error instanceof ProviderUnavailable;

const basic = (apiKey: string): string =>
  `Basic ${Buffer.from(`${apiKey}:`, 'utf8').toString('base64')}`;

/**
 * HTTP/1.1 with keep-alive to one provider origin: time limits, size cap, circuit breaker, repeated
 * reads. Make one per process and origin, share it between all keys, `close` it at the end.
 *
 * Only reads are repeated here. A write is never sent twice by this class, not even when it could
 * not connect: what happens after a failed write is decided by the effect that wanted it.
 *
 * One circuit per origin and not one per key: what it watches (time-outs, lost connections, 5xx) is
 * the origin's health, and with one per key every merchant's first calls would each wait out the
 * same outage. It counts failures in a row, so one account whose calls always fail cannot open it
 * while the others' succeed.
 */
export class ProviderTransport {
  readonly #agent: Agent;
  readonly #origin: string;
  readonly #basePath: string;
  readonly #limits: TransportLimits;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #reads: IPolicy;

  constructor(baseUrl: string, limits: Partial<TransportLimits> = {}) {
    const url = new URL(baseUrl);
    this.#origin = url.origin;
    this.#basePath = url.pathname.replace(/\/+$/, '');
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#agent = new Agent({
      connect: { timeout: this.#limits.connectTimeoutMs },
      headersTimeout: this.#limits.answerTimeoutMs,
      bodyTimeout: this.#limits.answerTimeoutMs,
      connections: this.#limits.connections,
      pipelining: 1,
    });
    const { breakerFailures, breakerRetryMs, readRepeats } = this.#limits;
    this.#breaker = circuitBreaker(handleWhen(isProviderFault), {
      breaker: new ConsecutiveBreaker(breakerFailures),
      halfOpenAfter: new ExponentialBackoff({
        // The usual jitter may try again after no time at all; one trial call needs no spreading.
        generator: noJitterGenerator,
        initialDelay: breakerRetryMs,
        maxDelay: 16 * breakerRetryMs,
      }),
    });
    const repeat = retry(handleWhen(isPassing), {
      maxAttempts: readRepeats,
      backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_000 }),
    });
    this.#reads = wrap(repeat, this.#breaker);
  }

  /**
   * Makes the call and decodes the answer. Throws a `ProviderError` and nothing else; `decode` says
   * by `MalformedWire` that it cannot read the answer.
   */
  async send<T>(
    apiKey: string,
    request: ProviderRequest,
    decode: (answer: unknown) => T,
  ): Promise<T> {
    const startedMs = performance.now();
    const isRead = request.method === 'GET';
    const budgetMs = isRead ? this.#limits.readTimeoutMs : this.#limits.exchangeTimeoutMs;
    const budget = isRead ? AbortSignal.timeout(budgetMs) : undefined;
    const attempt = (): Promise<T> => {
      const leftMs = budgetMs - (performance.now() - startedMs);
      const timeoutMs = Math.max(1, Math.min(leftMs, this.#limits.exchangeTimeoutMs));
      return this.#attempt(apiKey, request, decode, { startedMs, timeoutMs });
    };
    try {
      return await (isRead ? this.#reads : this.#breaker).execute(attempt, budget);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      const failure = { reason: 'circuit_open', status: null, detail: null } as const;
      throw new ProviderUnavailable(this.#trace(request, startedMs), failure);
    }
  }

  async #attempt<T>(
    apiKey: string,
    request: ProviderRequest,
    decode: (answer: unknown) => T,
    { startedMs, timeoutMs }: { startedMs: number; timeoutMs: number },
  ): Promise<T> {
    const { method, body } = request;
    const outcome = await exchange(
      this.#agent,
      {
        origin: this.#origin,
        path: this.#pathOf(request),
        method,
        headers: {
          authorization: basic(apiKey),
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      },
      { timeoutMs, maxBodyBytes: this.#limits.maxAnswerBytes },
    );
    return classifyOutcome(outcome, this.#trace(request, startedMs), decode);
  }

  #pathOf({ pathTemplate, id, query }: ProviderRequest): string {
    const path = pathTemplate.replace('{id}', encodeURIComponent(id ?? ''));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) search.set(name, String(value));
    return `${this.#basePath}${path}${query === undefined ? '' : `?${search.toString()}`}`;
  }

  #trace({ method, pathTemplate }: ProviderRequest, startedMs: number): ProviderCallTrace {
    return { method, pathTemplate, durationMs: performance.now() - startedMs };
  }

  /** Ends idle connections and those in use: calls under way fail as lost. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
