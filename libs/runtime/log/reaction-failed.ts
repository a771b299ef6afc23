/** Thrown when a saga instance failed to react: the step is decided again without that reaction. */
export class ReactionFailed extends Error {
  override readonly name = 'ReactionFailed';

  constructor(
    /** The saga instance, as `<saga> <key>`. */
    readonly instance: string,
    /**
     * The number of reactions of the instance that succeeded in this step before the failed
     * reaction.
     */
    readonly succeeded: number,
    override readonly cause: unknown,
  ) {
    super(`${instance} could not react: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/**
 * The reactions of a step that failed and are queued for a retry. For each saga instance: how many
 * reactions succeeded before the failed reaction, and the error of the failed reaction.
 */
export class Deferrals {
  private readonly byInstance = new Map<string, ReactionFailed>();

  /**
   * Records a failed reaction. Returns false if it is already recorded, because then deciding the
   * step again would fail in the same way.
   */
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
