/** A saga's instance could not react: the step is decided again without that reaction. */
export class ReactionFailed extends Error {
  override readonly name = 'ReactionFailed';

  constructor(
    /** `<saga> <key>`. */
    readonly instance: string,
    /** How many reactions of the instance had succeeded in the step before. */
    readonly succeeded: number,
    override readonly cause: unknown,
  ) {
    super(`${instance} could not react: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** By instance: after how many reactions the step leaves the rest for a retry, and why. */
export class Deferrals {
  private readonly byInstance = new Map<string, ReactionFailed>();

  /** False when this is known already: deciding again would fail alike. */
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
