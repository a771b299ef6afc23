import { createHash } from 'node:crypto';
import { newId } from '#kernel';
import type { Fault, FaultPlan } from './fault.js';

/** The `n`-th pseudo-random number of a seed, at least 0 and less than 1. */
const drawn = (seed: string, n: number): number =>
  createHash('sha256').update(`${seed}:${n}`).digest().readUIntBE(0, 6) / 2 ** 48;

/** The registered faults for API calls or for webhooks, oldest first. */
export class FaultQueue<Target extends string, Kind extends string> {
  private waiting: Fault<Target, Kind>[] = [];

  constructor(private readonly matches: (target: Target, met: string) => boolean) {}

  add(plan: FaultPlan<Target, Kind>): Fault<Target, Kind> {
    const fault = { ...plan, id: newId('fault'), seen: 0, met: 0 };
    this.waiting.push(fault);
    return fault;
  }

  all(): readonly Fault<Target, Kind>[] {
    return this.waiting;
  }

  clear(): void {
    this.waiting = [];
  }

  /** Returns false when no fault has this id. */
  remove(id: string): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((fault) => fault.id !== id);
    return this.waiting.length < before;
  }

  /**
   * Returns the oldest fault that applies to this target and reduces its count by one; null when no
   * fault applies.
   */
  take(met: string): Fault<Target, Kind> | null {
    for (const [index, fault] of this.waiting.entries()) {
      if (!this.matches(fault.target, met)) continue;
      const hits = drawn(fault.seed, fault.seen) < fault.rate;
      const next = {
        ...fault,
        seen: fault.seen + 1,
        met: fault.met + (hits ? 1 : 0),
        count: fault.count === null || !hits ? fault.count : fault.count - 1,
      };
      if (next.count === 0) this.waiting.splice(index, 1);
      else this.waiting[index] = next;
      if (hits) return next;
    }
    return null;
  }
}
