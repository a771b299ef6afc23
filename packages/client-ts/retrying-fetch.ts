import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionFailed } from './connection-failed.js';
import { withTimeLimit } from './time-limit.js';

export interface RetryOptions {
  /** The maximum number of attempts of a request. */
  readonly maxAttempts: number;
  /** The time limit of each attempt, in milliseconds. */
  readonly timeoutMs: number;
}

/** If the API asks to wait longer than this, the request is not repeated. */
const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 250;
/**
 * The maximum size of a response, which no download of the API reaches. It limits the memory that a
 * faulty response can fill.
 */
const MAX_RESPONSE_BYTES = 256 * 1_024 * 1_024;
/**
 * The methods of requests that are not repeated if they may have been executed: they have no
 * Idempotency-Key, and a repeated DELETE would not find what the first DELETE deleted.
 */
const UNSAFE_METHODS = ['PATCH', 'DELETE'];

/** A random wait in milliseconds, up to a maximum that doubles with each attempt. */
const backoffMs = (attempt: number): number =>
  Math.random() * FIRST_BACKOFF_MS * 2 ** Math.min(attempt, 6);

/**
 * The wait in the header Retry-After, in milliseconds; null: the header is missing or not a number
 * of seconds.
 */
const retryAfterMs = (response: Response): number | null => {
  const text = response.headers.get('retry-after') ?? '';
  return /^\d+$/.test(text) ? Number(text) * 1_000 : null;
};

/**
 * Whether the response comes from a proxy that got no response from the API, so that the API may
 * have executed the request. The API itself returns 502, with a problem, when the provider rejected
 * a request.
 */
const isOfProxy = ({ status, headers }: Response): boolean =>
  (status === 502 || status === 504) &&
  headers.get('content-type')?.includes('problem+json') !== true;

/**
 * How long to wait before the request is repeated; null if the request must not be repeated. The
 * status 409 with the header Retry-After means that the same request is still in progress. Other
 * conflicts have no such header.
 */
const waitMs = (request: Request, response: Response, attempt: number): number | null => {
  const { status } = response;
  const askedMs = retryAfterMs(response);
  if (askedMs !== null && askedMs > MAX_WAIT_MS) return null;
  if (status === 409) return askedMs;
  const isSafe = isOfProxy(response) && !UNSAFE_METHODS.includes(request.method);
  return status === 429 || status === 503 || isSafe ? (askedMs ?? backoffMs(attempt)) : null;
};

/** The whole body, decompressed. */
const bytesOf = async ({ body }: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_BYTES) {
      throw new RangeError(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Sends the request once, and reads the whole response. */
const attemptOf = (request: Request, timeoutMs: number): Promise<Response> =>
  withTimeLimit(request.signal, timeoutMs, async (signal) => {
    const response = await fetch(request.clone(), { signal });
    const { status, headers } = response;
    const bytes = await bytesOf(response);
    return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
  });

/**
 * Sends requests. Repeats a request if the API asks for it by 409, 429 or 503, or if the request
 * may have been executed: after a broken connection, a timeout, an unreadable response, or a 502 or
 * 504 of a proxy. Repeating a POST is safe, because each attempt has the same Idempotency-Key; a
 * PATCH or DELETE that may have been executed is not repeated. `read` reads a successful response,
 * and rejects if the response does not come from the API.
 */
export const retryingFetch =
  ({ maxAttempts, timeoutMs }: RetryOptions, read: (success: Response) => Promise<void>) =>
  async (request: Request): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= maxAttempts;
      let delayMs: number | null;
      try {
        const response = await attemptOf(request, timeoutMs);
        if (response.ok) await read(response);
        delayMs = isLast || response.ok ? null : waitMs(request, response, attempt);
        if (delayMs === null) return response;
      } catch (error) {
        if (request.signal.aborted) throw error;
        if (isLast || UNSAFE_METHODS.includes(request.method))
          throw new ConnectionFailed(request.headers.get('idempotency-key'), error);
        delayMs = backoffMs(attempt);
      }
      await sleep(delayMs, undefined, { signal: request.signal });
    }
  };
