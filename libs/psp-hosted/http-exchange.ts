import type { Dispatcher } from 'undici';
import { jsonOf } from './wire-decode.js';

export interface HttpAnswer {
  readonly type: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The parsed body; undefined if the body is not JSON. */
  readonly json: unknown;
}

export interface HttpFailure {
  readonly type: 'failure';
  /** Whether the request may have reached the provider; false only if it certainly did not. */
  readonly sent: boolean;
  readonly reason: 'timeout' | 'connection_lost' | 'oversized_answer';
  /** The HTTP status, if the response had begun. */
  readonly status: number | null;
  /**
   * The error code of the network or of the HTTP library. Error messages are not used, because they
   * may contain a part of a response.
   */
  readonly code: string;
}

export interface HttpExchangeLimits {
  /**
   * The time limit of the whole exchange: waiting for a connection, connecting, the request, and
   * the response to its last byte.
   */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

const UNSENT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : 'UNKNOWN';
};

/**
 * The failure of a request for a file. The request counts as sent unless the connection certainly
 * failed before. This does no harm, because the request only reads.
 */
export const failureOf = (error: unknown, isLate: boolean): HttpFailure => {
  const code = codeOf(error);
  const reason = isLate || TIMEOUT_CODES.has(code) ? 'timeout' : 'connection_lost';
  return { type: 'failure', sent: !UNSENT_CODES.has(code), reason, status: null, code };
};

/**
 * Observes one request in the HTTP library. `onRequestStart` is called right before the first byte
 * is written to the connection, so a failure before this call means that nothing was sent. For a
 * write this decides between "unavailable" and "unknown".
 */
class Exchange implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #status: number | null = null;
  #headers: HttpAnswer['headers'] = {};
  #chunks: Buffer[] = [];
  #size = 0;
  readonly #deadline: NodeJS.Timeout;
  readonly #maxBodyBytes: number;
  readonly #done: (outcome: HttpAnswer | HttpFailure) => void;

  constructor(limits: HttpExchangeLimits, done: (outcome: HttpAnswer | HttpFailure) => void) {
    this.#maxBodyBytes = limits.maxBodyBytes;
    this.#done = done;
    this.#deadline = setTimeout(() => this.#giveUp('timeout', 'DEADLINE'), limits.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The time limit ended while the request waited for a connection, so the request must not be
    // sent any more.
    if (this.#settled)
      controller.abort(new Error('the time limit ended before the request was sent'));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: HttpAnswer['headers'],
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.byteLength;
    if (this.#size > this.#maxBodyBytes) this.#giveUp('oversized_answer', 'TOO_LARGE');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks);
    this.#settle({
      type: 'answer',
      status: this.#status ?? 0,
      headers: this.#headers,
      body,
      json: jsonOf(body),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(error);
  }

  fail(error: Error): void {
    const code = codeOf(error);
    this.#settle(this.#failure(TIMEOUT_CODES.has(code) ? 'timeout' : 'connection_lost', code));
  }

  #giveUp(reason: HttpFailure['reason'], code: string): void {
    this.#settle(this.#failure(reason, code));
    this.#controller?.abort(new Error(reason));
  }

  #failure(reason: HttpFailure['reason'], code: string): HttpFailure {
    const sent = this.#controller !== null;
    return { type: 'failure', sent, reason, status: this.#status, code };
  }

  #settle(outcome: HttpAnswer | HttpFailure): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#chunks = [];
    this.#done(outcome);
  }
}

/** Sends one request. Resolves with its response or failure; never rejects. */
export const exchange = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: HttpExchangeLimits,
): Promise<HttpAnswer | HttpFailure> =>
  new Promise((resolve) => {
    const handler = new Exchange(limits, resolve);
    try {
      dispatcher.dispatch(request, handler);
    } catch (error) {
      handler.fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
