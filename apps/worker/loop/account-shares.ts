/** What a worker is at for each provider account, as its claims take it into account. */
export interface AccountLoad {
  /** The accounts for which something is under way here; `running` says how much, in this order. */
  readonly accounts: readonly string[];
  readonly running: readonly number[];
  /** So much at most is under way for one account. */
  readonly most: number;
}

export const NO_LOAD: AccountLoad = { accounts: [], running: [], most: 1_000_000 };

/** What is under way in a loop, by account: one whose calls are slow must not take all its room. */
export class AccountShares {
  private readonly running = new Map<string, number>();

  /** `onRoom`: an account that had all its share has room again, and may have been passed over. */
  constructor(private readonly most: number, private readonly onRoom: () => void) {}

  load(): AccountLoad {
    return {
      accounts: [...this.running.keys()], running: [...this.running.values()], most: this.most,
    };
  }

  /** The accounts that have all their share. */
  full(): readonly string[] {
    return [...this.running].flatMap(([id, running]) => (running >= this.most ? [id] : []));
  }

  /** Of so many free places, how many may be taken for any account that is not full. */
  room(free: number): number {
    const others = [...this.running.values()].filter((running) => running < this.most);
    return Math.min(free, this.most - Math.max(0, ...others));
  }

  /** Runs what is done for an account, which has that share until it ends; null: for none. */
  async during(accountId: string | null, work: () => Promise<void>): Promise<void> {
    if (accountId === null) return work();
    this.running.set(accountId, (this.running.get(accountId) ?? 0) + 1);
    try {
      await work();
    } finally {
      this.ended(accountId);
    }
  }

  private ended(accountId: string): void {
    const before = this.running.get(accountId) ?? 1;
    if (before > 1) this.running.set(accountId, before - 1);
    else this.running.delete(accountId);
    if (before === this.most) this.onRoom();
  }
}
