/** A saga instance failed to react: the step is decided again without that reaction. */
export class ReactionFailed extends Error {
  override readonly name = 'ReactionFailed';

  constructor(
    /** `<saga> <key>`. */
    readonly instance: string,
    /** The number of earlier reactions of the instance in the step that succeeded. */
    readonly succeeded: number,
    override readonly cause: unknown,
  ) {
    super(`${instance} could not react: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** By instance: after how many reactions the step queues the rest for a retry, and the error. */
export class Deferrals {
  private readonly byInstance = new Map<string, ReactionFailed>();

  /** False if a second decision would fail in the same way. */
  note(failure: ReactionFailed): boolean {
    const known = this.byInstance.get(failure.instance);
    if (known !== undefined && known.succeeded <= failure.succeeded) return false;
    this.byInstance.set(failure.instance, failure);
    return true;
  }

  get(instance: string): ReactionFailed | null {
    return this.byInstance.get(instance) ?? null;
  }
}
