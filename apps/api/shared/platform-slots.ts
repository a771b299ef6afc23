/** Limits what is open at once, so that no platform uses up the share of others. */
export class PlatformSlots {
  private open = 0;
  private readonly openOf = new Map<string, number>();

  constructor(
    private readonly max: number,
    private readonly maxOfPlatform: number,
  ) {}

  get count(): number {
    return this.open;
  }

  hasRoom(platformId: string): boolean {
    return this.open < this.max && (this.openOf.get(platformId) ?? 0) < this.maxOfPlatform;
  }

  /** Returns a function that releases the slot; it may be called again. */
  take(platformId: string): () => void {
    this.add(platformId, 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.add(platformId, -1);
      isOpen = false;
    };
  }

  private add(platformId: string, more: 1 | -1): void {
    this.open += more;
    const left = (this.openOf.get(platformId) ?? 0) + more;
    if (left === 0) this.openOf.delete(platformId);
    else this.openOf.set(platformId, left);
  }
}
