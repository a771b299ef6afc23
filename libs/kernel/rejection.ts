/**
 * Thrown when a business rule forbids the request: this is final, and nothing was changed. `code`
 * is stable and machine-readable, `message` says what to do. Each transport maps it to a status of
 * its own.
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
