/**
 * The last attempt got no response of the API: its connection broke, its time was up, or the response
 * is unreadable, e.g. the page of a proxy or truncated. Whether the request was executed is unknown.
 * `cause` says what happened.
 */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';

  constructor(
    /** The key of a POST: send the request again with it, and it is executed once. */
    readonly idempotencyKey: string | null,
    cause: unknown,
  ) {
    super('the request got no response of the API', { cause });
  }
}
