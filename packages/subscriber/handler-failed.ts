/** Thrown when the handler rejected while the store worked; `cause` is the handler's error. */
export class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed';

  constructor(cause: unknown) {
    super('the handler rejected', { cause });
  }
}
