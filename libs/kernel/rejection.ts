/**
 * Thrown when a business rule forbids the request. The refusal is final, and nothing was changed.
 * `code` is stable and machine-readable, `message` says what to do. HTTP and the command line each
 * map it to their own status.
 */
export class Rejection extends Error {
  override readonly name = 'Rejection';

  constructor(
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, string | number | boolean | null>> = {},
  ) {
    super(message);
  }
}
