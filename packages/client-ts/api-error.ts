import type { ErrorCode } from './operations.js';
import type { Problem } from './schema.js';

type Details = NonNullable<Problem['errors']>;

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;

const textOf = ({ detail, errors = [] }: Problem): string => {
  const fields = errors.map((one) => `${one.pointer ?? one.parameter ?? ''}: ${one.detail}`);
  return fields.length === 0 ? detail : `${detail} (${fields.join('; ')})`;
};

/**
 * The API refused a request, or could not execute it. The error's message is the `detail` of the
 * problem response, followed by the invalid fields (`errors`) in parentheses.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** A stable code; `unknown` if the response does not come from the API, but e.g. from a proxy. */
  readonly code: ErrorCode | 'unknown' | (string & {});
  /** The invalid fields and parameters. */
  readonly errors: Details;
  /** The id of the request: quote it in support requests. */
  readonly requestId: string | null;

  constructor(
    { status, headers }: Response,
    body: unknown,
    /**
     * The Idempotency-Key of a POST: if the request is sent again with this key, it is executed
     * only once.
     */
    readonly idempotencyKey: string | null,
  ) {
    const problem = isProblem(body) ? body : null;
    const foreign = `the response has the status ${status} and is not one of the API`;
    super(problem === null ? foreign : textOf(problem));
    this.status = status;
    this.code = problem?.code ?? 'unknown';
    this.errors = problem?.errors ?? [];
    this.requestId = problem?.correlationId ?? headers.get('x-request-id');
  }
}
