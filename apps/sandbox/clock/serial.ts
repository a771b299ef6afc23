/** Runs one piece of work at a time, in the order of the calls. */
export class Serial {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => {}); // The caller gets the error; the next work starts anyway.
    return result;
  }

  /** Resolves when all work submitted so far is done. */
  async idle(): Promise<void> {
    await this.last;
  }
}
