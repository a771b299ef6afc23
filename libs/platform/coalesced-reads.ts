interface Batch<T> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, T>>;
}

/**
 * Performs one read at a time. All requests that arrive during a read are served together by the
 * next read, so even many requests use only one connection.
 */
export class CoalescedReads<T> {
  #gathering: Batch<T> | null = null;
  #under: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ) {}

  /** The value of the key; null if the key has no value. Rejects if the read fails. */
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
    // If a read fails, only the requests that this read serves fail; the next read is started
    // nevertheless.
    this.#under = found.catch(() => undefined);
    return { keys, found };
  }
}
