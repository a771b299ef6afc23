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
import { failActiveSpan, inSpan } from '#platform';
import {
  type ExchangeListener,
  type FailureReason,
  isProviderError,
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
  /** Called after each request, whether it succeeded or failed. */
  readonly onExchange?: ExchangeListener;
  readonly onRateLimited?: RateLimitListener;
}

/**
 * The failures after which a read is repeated. They exclude a response that cannot be decoded,
 * because the next response would be the same.
 */
const TRANSIENT: ReadonlySet<FailureReason> = new Set([
  'unreachable',
  'timeout',
  'connection_lost',
  'server_error',
]);

/** The longest pause before the first repetition of a read; later pauses are longer. */
const PAUSE_MS = 100;

/**
 * Whether a failed read is repeated. All attempts of a read together take at most `timeoutMs`, so a
 * read is not repeated if this time could end before the repetition begins.
 */
const isRepeated = (error: Error, timeoutMs: number): boolean =>
  error instanceof ProviderUnavailable &&
  TRANSIENT.has(error.reason) &&
  error.trace.durationMs + PAUSE_MS < timeoutMs;

/** Whether an error shows that the provider does not work. */
const isProviderFault = (error: unknown): boolean =>
  error instanceof ProviderUnknownOutcome || error instanceof ProviderUnavailable;

/**
 * Returns the result as a function. A rejection or a rate limit is a result, too, because it shows
 * that the provider works: if it were thrown through the circuit breaker, the breaker would not
 * reset its count of consecutive failures.
 */
const resultOf = async <T>(attempt: () => Promise<T>): Promise<() => T> => {
  try {
    const value = await attempt();
    return () => value;
  } catch (error) {
    if (!isProviderError(error) || isProviderFault(error)) throw error;
    return () => {
      throw error;
    };
  }
};

const basic = (apiKey: string): string =>
  `Basic ${Buffer.from(`${apiKey}:`, 'utf8').toString('base64')}`;

/**
 * Sends requests over HTTP/1.1 keep-alive connections to one origin of the provider, with time
 * limits, a size limit, a circuit breaker and repeated reads. Create one transport per process and
 * origin, share it between all API keys, and `close` it at the end.
 *
 * Only reads are repeated here. A write is never sent twice, not even if the connection failed:
 * after a failure the job that requested the write decides what to do.
 *
 * There is one circuit breaker per origin, and not one per API key, because it watches whether the
 * origin works (timeouts, lost connections, 5xx). With a breaker per key, the first requests of
 * every merchant would have to time out before their circuit opens. The breaker counts consecutive
 * failures, so one account whose requests always fail cannot open it while requests of other
 * accounts succeed.
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
    const { breakerFailures, breakerRetryMs, readRepeats, readTimeoutMs } = this.#limits;
    this.#breaker = circuitBreaker(handleWhen(isProviderFault), {
      breaker: new ConsecutiveBreaker(breakerFailures),
      halfOpenAfter: new ExponentialBackoff({
        // Jitter is off: the default jitter may reduce the delay to zero, and only one trial
        // request is sent at a time, so there are no simultaneous requests to spread over time.
        generator: noJitterGenerator,
        initialDelay: breakerRetryMs,
        maxDelay: 16 * breakerRetryMs,
      }),
    });
    const repeat = retry(
      handleWhen((error) => isRepeated(error, readTimeoutMs)),
      {
        maxAttempts: readRepeats,
        backoff: new ExponentialBackoff({ initialDelay: PAUSE_MS, maxDelay: 1_000 }),
      },
    );
    this.#reads = wrap(repeat, this.#breaker);
  }

  /**
   * Sends the request and decodes the response. Throws only a `ProviderError`; `decode` throws
   * `MalformedWire` if it cannot read the response.
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
      return await this.#guard(apiKey, request, startedMs, this.#breaker, () =>
        this.#attempt(apiKey, request, decode, { startedMs, timeoutMs }),
      );
    } finally {
      // Content that was not read to its end must be destroyed, or its source would stay open.
      request.upload?.body.destroy();
    }
  }

  /**
   * Requests a file and forwards it while it arrives. Until the response begins, the request is
   * repeated like any read. Throws a `ProviderError`; if the body fails, the stream emits the
   * error.
   */
  async open(apiKey: string, request: ProviderRequest & { method: 'GET' }): Promise<OpenAnswer> {
    const startedMs = performance.now();
    const maxBodyBytes = this.#limits.maxAnswerBytes;
    return this.#repeat(apiKey, request, startedMs, async (timeoutMs) => {
      const options = this.#optionsOf(apiKey, request);
      const outcome = await openExchange(this.#files, options, { timeoutMs, maxBodyBytes });
      if (outcome.type === 'open') return outcome;
      const unreadable = (): never => {
        throw new MalformedWire('the response must be a file');
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
    return this.#guard(apiKey, request, startedMs, this.#reads, once);
  }

  async #guard<T>(
    apiKey: string,
    request: ProviderRequest,
    startedMs: number,
    policy: IPolicy,
    attempt: () => Promise<T>,
  ): Promise<T> {
    try {
      const result = await policy.execute(() => resultOf(attempt));
      return result();
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
    const outcome = await this.#traced(request, () =>
      exchange(
        request.upload === undefined ? this.#agent : this.#files,
        this.#optionsOf(apiKey, request),
        { timeoutMs, maxBodyBytes: this.#limits.maxAnswerBytes },
      ),
    );
    this.#report(request, outcome, performance.now() - sentMs);
    const brokenBy = outcome.type === 'failure' ? request.upload?.brokenBy() : null;
    // The sender of the content aborted the request, which shows nothing about the provider.
    if (brokenBy) throw brokenBy;
    return classifyOutcome(outcome, this.#trace(request, startedMs), decode, this.#refusals);
  }

  /** The span of an exchange; it contains neither ids of the request nor its content. */
  #traced(
    { method, pathTemplate }: ProviderRequest,
    send: () => Promise<HttpAnswer | HttpFailure>,
  ): Promise<HttpAnswer | HttpFailure> {
    const attributes = { 'http.request.method': method, 'url.template': pathTemplate };
    const span = { name: `${method} ${pathTemplate}`, kind: 'client', attributes } as const;
    return inSpan(span, async (sending) => {
      const outcome = await send();
      if (outcome.status !== null)
        sending?.setAttribute('http.response.status_code', outcome.status);
      if (outcome.type === 'failure') failActiveSpan(outcome.reason);
      else if (outcome.status >= 400) failActiveSpan(String(outcome.status));
      return outcome;
    });
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

  /** Closes all connections, even those in use: requests in progress fail as a lost connection. */
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
