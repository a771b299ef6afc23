/**
 * Thrown for a bug in this product. A request then fails; a saga's reaction to an event is retried.
 */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}

/**
 * Checks a condition that only a bug can violate. Throws `AssertionFailed`, with a message that
 * operators may read, as the note of a failed request for example.
 */
export function assert(condition: unknown, mustHold: string): asserts condition {
  if (!condition) throw new AssertionFailed(`internal error, this must hold: ${mustHold}`);
}

/** Ends a switch over a union: a missing case does not compile. */
export function assertNever(value: never): never {
  throw new AssertionFailed(`no case handles the value ${JSON.stringify(value)}`);
}
