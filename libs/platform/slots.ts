/**
 * Limits the number of slots that are in use at the same time, in total and for each holder, so
 * that no holder can use up the slots of the others.
 */
export class Slots {
  private open = 0;
  private readonly openOf = new Map<string, number>();

  constructor(
    private readonly max: number,
    private readonly maxOfHolder: number,
  ) {}

  get count(): number {
    return this.open;
  }

  hasRoom(holder: string): boolean {
    return this.open < this.max && (this.openOf.get(holder) ?? 0) < this.maxOfHolder;
  }

  /**
   * Takes a slot for the holder; returns a function that releases it. Further calls of that
   * function do nothing.
   */
  take(holder: string): () => void {
    this.add(holder, 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.add(holder, -1);
      isOpen = false;
    };
  }

  private add(holder: string, more: 1 | -1): void {
    this.open += more;
    const left = (this.openOf.get(holder) ?? 0) + more;
    if (left === 0) this.openOf.delete(holder);
    else this.openOf.set(holder, left);
  }
}
