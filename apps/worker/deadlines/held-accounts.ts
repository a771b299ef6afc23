/** Wall time: a short wait is not looked at again and again, and a long one may end early. */
const HELD_MS = { least: 250, most: 1_000 };

/** The accounts whose key has no calls left for now, as far as this worker has found out. */
export class HeldAccounts {
  private readonly untilMs = new Map<string, number>();

  /** `waitMs`: wall time after which a call may be made again. */
  hold(accountId: string, waitMs: number): void {
    const { least, most } = HELD_MS;
    const heldMs = Math.min(Math.max(waitMs, least), most);
    this.untilMs.set(accountId, performance.now() + heldMs);
  }

  /** `acc_…` of those that are held now. */
  ids(): readonly string[] {
    for (const [accountId, untilMs] of this.untilMs) {
      if (performance.now() >= untilMs) this.untilMs.delete(accountId);
    }
    return [...this.untilMs.keys()];
  }
}
