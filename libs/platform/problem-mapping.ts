import { HttpException } from '@nestjs/common';
import { Rejection } from '#kernel';
import { Problem } from './problem.js';

/** An app's additions to the mapping of errors to responses. */
export interface ProblemOptions {
  /** The HTTP status of each rejection code; 422 for others. */
  readonly rejections?: Readonly<Record<string, number>>;
  /** Maps errors that are specific to this app; undefined if the common mapping applies. */
  readonly other?: (error: unknown) => Problem | undefined;
}

/** PostgreSQL error codes: connection failures, shutdown or start-up, too many connections. */
const DATABASE_AWAY = /^(?:08\w{3}|57P0[1-4]|53300|25P0[34]|57014)$/;
const SOCKET_AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);
/** Messages of node-postgres errors that have no code. */
const CLIENT_AWAY =
  /^(?:Connection terminated|timeout exceeded when trying|Client has encountered|Query read timeout)/;

/**
 * Whether the error means that a service is unavailable. The error is recognised by its properties,
 * because its class may be loaded twice, and `instanceof` then fails.
 */
const isUnavailable = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const isAway = typeof code === 'string' && (DATABASE_AWAY.test(code) || SOCKET_AWAY.has(code));
  return isAway || (typeof message === 'string' && CLIENT_AWAY.test(message));
};

/**
 * Error codes and messages for the statuses of the framework's errors, because the framework's
 * messages may repeat a part of the body or path.
 */
const FRAMEWORK: Readonly<Record<number, readonly [code: string, detail: string]>> = {
  400: ['malformed_request', 'the request cannot be read: check that the body is valid JSON'],
  404: ['route_not_found', 'this method and path do not exist: check them in the API reference'],
  405: ['method_not_allowed', 'this path does not accept the method: see the API reference'],
  408: ['request_timeout', 'the request arrived too slowly: send it again'],
  413: ['body_too_large', 'the request body is larger than this route accepts'],
  414: ['uri_too_long', 'a part of the path is too long: shorten it'],
  415: ['unsupported_media_type', 'send the body as application/json'],
  429: [
    'rate_limited',
    'too many requests: wait for the number of seconds in the header Retry-After, then send the request again',
  ],
  431: ['headers_too_large', 'the headers are too large: send fewer or shorter headers'],
  503: [
    'unavailable',
    'the service is starting or stopping: send the request again in a few seconds',
  ],
};

/** The error response, by HTTP status, for a request that no route has handled. */
export const frameworkProblem = (status: number, cause?: unknown): Problem => {
  const [code, detail] = FRAMEWORK[status] ?? [
    'refused',
    'the request was refused: check it against the API reference',
  ];
  return new Problem(status, code, detail, { cause });
};

const statusOf = (error: unknown): number | undefined => {
  if (error instanceof HttpException) return error.getStatus();
  const known = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof known === 'number' && known >= 400 && known < 600 ? known : undefined;
};

export const temporarilyUnavailable = (cause: unknown, retryAfterSeconds: number): Problem =>
  new Problem(
    503,
    'temporarily_unavailable',
    'a dependency is temporarily unavailable: send the same request again, ' +
      'with the same Idempotency-Key',
    { headers: { 'retry-after': String(retryAfterSeconds) }, cause },
  );

/**
 * Maps any error to a response. An unexpected error becomes a 500 that does not reveal its cause.
 */
export const problemOf = (error: unknown, options: ProblemOptions): Problem => {
  if (error instanceof Problem) return error;
  const special = options.other?.(error);
  if (special !== undefined) return special;
  if (error instanceof Rejection) {
    const status = options.rejections?.[error.code] ?? 422;
    return new Problem(status, error.code, error.message, { cause: error });
  }
  const status = statusOf(error);
  if (status !== undefined && status < 500) return frameworkProblem(status, error);
  if (status === 503 || isUnavailable(error)) {
    return temporarilyUnavailable(error, 1);
  }
  return new Problem(
    500,
    'internal_error',
    'an internal error occurred: send the same request again, or contact the operator of the service with the request id',
    { cause: error },
  );
};
