import type { ProblemDetailDto, ProblemDto } from './problem-dto.js';

/** A JSON pointer into the body as a URI fragment, e.g. `#/capture/delay`. */
export const jsonPointer = (keys: readonly string[]): string =>
  [
    '#',
    ...keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))),
  ].join('/');

/** An invalid field of a request, by its location. */
export type ProblemDetail = Readonly<ProblemDetailDto>;

/**
 * An error response that can be thrown anywhere in a request, written as problem+json (RFC 9457).
 * `code` is stable; `detail` says what to do and never echoes input.
 */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly more: {
      readonly errors?: readonly ProblemDetail[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
  }
}

/** The body of an error response. */
export type ProblemBody = Readonly<ProblemDto>;
