import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  type IPolicy,
  noJitterGenerator,
  retry,
  wrap,
} from 'cockatiel';
import { Agent, type Dispatcher } from 'undici';
import {
  type ExchangeListener,
  type FailureReason,
  type ProviderCallTrace,
  ProviderRateLimited,
  ProviderUnavailable,
  ProviderUnknownOutcome,
  type RateLimitListener,
} from '#psp';
import { classifyOutcome, PAYMENT_REFUSALS, type RefusalWire } from './classify-outcome.js';
import { exchangeOf } from './exchange-record.js';
import { exchange, type HttpAnswer, type HttpFailure } from './http-exchange.js';
import { type OpenAnswer, openExchange } from './http-open.js';
import type { ProviderRequest } from './provider-request.js';
import { DEFAULT_LIMITS, type TransportLimits } from './transport-limits.js';
import { MalformedWire } from './wire-decode.js';

export interface TransportListeners {
  /** Called for each exchange, whatever its result. */
  readonly onExchange?: ExchangeListener;
  readonly onRateLimited?: RateLimitListener;
}

/** Transient failures. An unreadable answer would be unreadable again. */
const PASSING: ReadonlySet<FailureReason> = new Set([
  'unreachable',
  'timeout',
  'connection_lost',
  'server_error',
]);

const isPassing = (error: Error): boolean =>
  error instanceof ProviderUnavailable && PASSING.has(error.reason);

/**
 * The failures that count against the provider's health. A rejection or a rate limit is a healthy
 * answer.
 */
const isProviderFault = (error: Error): boolean =>
  error instanceof ProviderUnknownOutcome || error instanceof ProviderUnavailable;

const basic = (apiKey: string): string =>
  `Basic ${Buffer.from(`${apiKey}:`, 'utf8').toString('base64')}`;

/**
 * HTTP/1.1 with keep-alive to one provider origin: time limits, size cap, circuit breaker, repeated
 * reads. Create one per process and origin, share it between all keys, `close` it at the end. Only
 * reads are repeated here. A write is never sent twice by this class, not even when it could not
 * connect: the job that requested it decides after a failure. One circuit per origin and not one
 * per key: it watches the origin's health (time-outs, lost connections, 5xx), and with one per key
 * every merchant's first calls would each wait for the same outage. It counts failures in a row, so
 * one account whose calls always fail cannot open it while the others' succeed.
 */
export class ProviderTransport {
  readonly #agent: Agent;
  readonly #files: Agent;
  readonly #origin: string;
  readonly #basePath: string;
  readonly #limits: TransportLimits;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #reads: IPolicy;
  readonly #refusals: RefusalWire;
  readonly #listeners: TransportListeners;

  constructor(
    baseUrl: string,
    limits: Partial<TransportLimits> = {},
    refusals = PAYMENT_REFUSALS,
    listeners: TransportListeners = {},
  ) {
    this.#refusals = refusals;
    this.#listeners = listeners;
    const url = new URL(baseUrl);
    this.#origin = url.origin;
    this.#basePath = url.pathname.replace(/\/+$/, '');
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#agent = this.#agentWith(this.#limits.connections);
    this.#files = this.#agentWith(this.#limits.fileConnections);
    const { breakerFailures, breakerRetryMs, readRepeats } = this.#limits;
    this.#breaker = circuitBreaker(handleWhen(isProviderFault), {
      breaker: new ConsecutiveBreaker(breakerFailures),
      halfOpenAfter: new ExponentialBackoff({
        // The usual jitter may retry without any delay; a single trial call needs no spreading.
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
   * Makes the call and decodes the answer. Throws only a `ProviderError`; `decode` throws
   * `MalformedWire` when it cannot read the answer.
   */
  async send<T>(
    apiKey: string,
    request: ProviderRequest,
    decode: (answer: unknown) => T,
  ): Promise<T> {
    const startedMs = performance.now();
    if (request.method === 'GET') {
      return this.#repeat(apiKey, request, startedMs, (timeoutMs) =>
        this.#attempt(apiKey, request, decode, { startedMs, timeoutMs }),
      );
    }
    const { exchangeTimeoutMs, uploadTimeoutMs } = this.#limits;
    const timeoutMs = request.upload === undefined ? exchangeTimeoutMs : uploadTimeoutMs;
    try {
      return await this.#guard(apiKey, request, startedMs, () =>
        this.#breaker.execute(() =>
          this.#attempt(apiKey, request, decode, { startedMs, timeoutMs }),
        ),
      );
    } finally {
      // Content that was not read to its end holds its source open.
      request.upload?.body.destroy();
    }
  }

  /**
   * Requests a file and forwards it while it arrives; repeated like any read until it begins.
   * Throws a `ProviderError`; a failure of the body is an error of the stream.
   */
  async open(apiKey: string, request: ProviderRequest & { method: 'GET' }): Promise<OpenAnswer> {
    const startedMs = performance.now();
    const maxBodyBytes = this.#limits.maxAnswerBytes;
    return this.#repeat(apiKey, request, startedMs, async (timeoutMs) => {
      const options = this.#optionsOf(apiKey, request);
      const outcome = await openExchange(this.#files, options, { timeoutMs, maxBodyBytes });
      if (outcome.type === 'open') return outcome;
      const unreadable = (): never => {
        throw new MalformedWire('the answer must be a file');
      };
      return classifyOutcome(outcome, this.#trace(request, startedMs), unreadable, this.#refusals);
    });
  }

  async #repeat<T>(
    apiKey: string,
    request: ProviderRequest,
    startedMs: number,
    attempt: (timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    const { readTimeoutMs, exchangeTimeoutMs } = this.#limits;
    const once = (): Promise<T> => {
      const leftMs = readTimeoutMs - (performance.now() - startedMs);
      return attempt(Math.max(1, Math.min(leftMs, exchangeTimeoutMs)));
    };
    return this.#guard(apiKey, request, startedMs, () =>
      this.#reads.execute(once, AbortSignal.timeout(readTimeoutMs)),
    );
  }

  async #guard<T>(
    apiKey: string,
    request: ProviderRequest,
    startedMs: number,
    call: () => Promise<T>,
  ): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof ProviderRateLimited) {
        await this.#listeners.onRateLimited?.(apiKey, error.retryAfterMs);
      }
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
    const sentMs = performance.now();
    const outcome = await exchange(
      request.upload === undefined ? this.#agent : this.#files,
      this.#optionsOf(apiKey, request),
      { timeoutMs, maxBodyBytes: this.#limits.maxAnswerBytes },
    );
    this.#report(request, outcome, performance.now() - sentMs);
    const brokenBy = outcome.type === 'failure' ? request.upload?.brokenBy() : null;
    // Its sender aborted it: neither the provider's fault nor a sign of its health.
    if (brokenBy) throw brokenBy;
    return classifyOutcome(outcome, this.#trace(request, startedMs), decode, this.#refusals);
  }

  #report(request: ProviderRequest, outcome: HttpAnswer | HttpFailure, durationMs: number): void {
    this.#listeners.onExchange?.(exchangeOf(request, outcome, durationMs));
  }

  #optionsOf(apiKey: string, request: ProviderRequest): Dispatcher.DispatchOptions {
    const { method, body, upload } = request;
    const contentType = upload?.contentType ?? (body === undefined ? null : 'application/json');
    return {
      origin: this.#origin,
      path: this.#pathOf(request),
      method,
      headers: {
        authorization: basic(apiKey),
        accept: 'application/json',
        ...(contentType === null ? {} : { 'content-type': contentType }),
      },
      body: upload?.body ?? (body === undefined ? null : JSON.stringify(body)),
    };
  }

  #pathOf({ pathTemplate, id, query }: ProviderRequest): string {
    const path = pathTemplate.replace('{id}', encodeURIComponent(id ?? ''));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) search.set(name, String(value));
    return `${this.#basePath}${path}${search.size === 0 ? '' : `?${search.toString()}`}`;
  }

  #trace({ method, pathTemplate }: ProviderRequest, startedMs: number): ProviderCallTrace {
    return { method, pathTemplate, durationMs: performance.now() - startedMs };
  }

  /** Ends idle connections and those in use: calls in progress fail as lost. */
  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#files.destroy()]);
  }

  #agentWith(connections: number): Agent {
    const { connectTimeoutMs, answerTimeoutMs } = this.#limits;
    return new Agent({
      connect: { timeout: connectTimeoutMs },
      headersTimeout: answerTimeoutMs,
      bodyTimeout: answerTimeoutMs,
      connections,
      pipelining: 1,
    });
  }
}
