/** The handler rejected while the store worked; `cause` is what it rejected with. */
export class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed';

  constructor(cause: unknown) {
    super('the handler rejected', { cause });
  }
}
