interface Batch<T> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, T>>;
}

/**
 * One read at a time; what is asked for meanwhile is read together by the next one. However many
 * ask, and for whatever, they hold one connection.
 */
export class CoalescedReads<T> {
  #gathering: Batch<T> | null = null;
  #under: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ) {}

  /** What there is under the key; null when nothing is. Rejects when its read does. */
  async get(key: string): Promise<T | null> {
    const batch = (this.#gathering ??= this.#nextBatch());
    batch.keys.add(key);
    return (await batch.found).get(key) ?? null;
  }

  #nextBatch(): Batch<T> {
    const keys = new Set<string>();
    const found = this.#under.then(() => {
      this.#gathering = null;
      return this.read([...keys]);
    });
    // A read that failed fails those who asked; the next one begins all the same.
    this.#under = found.catch(() => undefined);
    return { keys, found };
  }
}
