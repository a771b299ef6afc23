interface Entry<T> {
  readonly value: T;
  readonly untilMs: number;
}

/**
 * Values that were read in the last `ttlMs` of wall time, at most `capacity` of them; the oldest
 * value is dropped first. The absence of a value is not cached, so a new value is visible
 * immediately.
 */
export class RecentCache<T> {
  readonly #entries = new Map<string, Entry<T>>();

  constructor(
    private readonly capacity: number,
    private readonly ttlMs: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  async get(key: string, read: () => Promise<T | null>): Promise<T | null> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.untilMs > this.nowMs()) return entry.value;
    this.#entries.delete(key);
    // The age of a value is counted from the start of its read, because the value may change during
    // the read.
    const untilMs = this.nowMs() + this.ttlMs;
    const value = await read();
    if (value !== null) this.#keep(key, { value, untilMs });
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }

  #keep(key: string, entry: Entry<T>): void {
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= this.capacity && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, entry);
  }
}
