/** Runs at most `limit` tasks concurrently; further tasks wait and start in order of arrival. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limit) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running += 1;
    try {
      return await work();
    } finally {
      // The slot passes directly to the next waiting task.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
