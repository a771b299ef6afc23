/**
 * The last attempt got no response: its connection broke, or its time was up. Whether the request
 * was executed is unknown. `cause` is the error of `fetch`.
 */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';

  constructor(
    /** The key of a POST: send the request again with it, and it is executed once. */
    readonly idempotencyKey: string | null,
    cause: unknown,
  ) {
    super('the request got no response', { cause });
  }
}
