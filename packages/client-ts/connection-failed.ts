/**
 * The last attempt got no response from the API: the connection broke, the time limit was reached,
 * or the response is unreadable, because it comes from a proxy or is truncated. Whether the request
 * was executed is unknown. `cause` contains the error.
 */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';

  constructor(
    /**
     * The Idempotency-Key of a POST: if the request is sent again with this key, it is executed
     * only once.
     */
    readonly idempotencyKey: string | null,
    cause: unknown,
  ) {
    super('the request got no response of the API', { cause });
  }
}
