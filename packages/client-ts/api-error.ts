import type { ErrorCode } from './operations.js';
import type { Problem } from './schema.js';

type Details = NonNullable<Problem['errors']>;

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;

/** The API refused a request, or could not execute it. The message is the problem's `detail`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** A stable code; `unknown` if the response is not one of the API, e.g. that of a proxy. */
  readonly code: ErrorCode | 'unknown' | (string & {});
  /** The invalid fields and parameters. */
  readonly errors: Details;
  /** The id of the request: quote it in support requests. */
  readonly requestId: string | null;

  constructor(
    { status, headers }: Response,
    body: unknown,
    /** The key of a POST: send the request again with it, and it is executed once. */
    readonly idempotencyKey: string | null,
  ) {
    const problem = isProblem(body) ? body : null;
    super(problem?.detail ?? `the response has the status ${status} and is not one of the API`);
    this.status = status;
    this.code = problem?.code ?? 'unknown';
    this.errors = problem?.errors ?? [];
    this.requestId = problem?.correlationId ?? headers.get('x-request-id');
  }
}
