/** One validation error of a request, in the form of HTTPValidationError. */
export interface ValidationDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** An error response. See docs/provider/payments-completion.md#conventions. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly body: { readonly error: unknown } | { readonly detail: readonly ValidationDetail[] },
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`the response has the status ${status}`);
  }
}

export const unauthorized = (): ApiError =>
  new ApiError(
    401,
    {
      error: {
        type: 'invalid_request_error',
        message: 'You are not authorized to access that resource',
      },
    },
    { 'www-authenticate': 'Basic' },
  );

/**
 * The 404 response for an unknown id; the message begins with `resource`, e.g. `Payment intent`.
 */
export const notFound = (resource: string, id: string): ApiError =>
  new ApiError(404, { error: `${resource} \`${id}\` not found` });

/**
 * The 409 response with the message `inTheWay`, which names the status that forbids the request.
 */
export const conflict = (inTheWay: string): ApiError => new ApiError(409, { error: inTheWay });

export const invalid = (...detail: readonly ValidationDetail[]): ApiError =>
  new ApiError(422, { detail });
