/** A bug of ours: in a saga its reaction waits for a retry, elsewhere the request fails. */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}

/** States what must hold whatever the outside world does. Throws `AssertionFailed` otherwise. */
export function assert(condition: unknown, mustHold: string): asserts condition {
  if (!condition) throw new AssertionFailed(mustHold);
}

/** Closes a switch over a union: a new member that is not handled does not compile. */
export function assertNever(value: never): never {
  throw new AssertionFailed(`every case is handled, yet met ${JSON.stringify(value)}`);
}
