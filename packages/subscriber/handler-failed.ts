/** Thrown when the handler rejected while the store worked; `cause` is the handler's error. */
export class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed';

  constructor(cause: unknown) {
    super('the handler rejected', { cause });
  }
}

/**
 * Thrown when the connection of the transaction was lost while the handler ran or its writes were
 * committed; `cause` is the store's error. It counts as an outage, unless the connection is lost
 * each time.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';

  constructor(cause: unknown) {
    super(`the connection of the transaction was lost while the handler ran: ${String(cause)}`, {
      cause,
    });
  }
}
