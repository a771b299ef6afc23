import type { Sandbox } from '../stack/sandbox.js';
import type { FaultPlan, KillPlan } from './schedule.js';

/** A planned kill or suspension, and whether it has happened. */
export interface KillDeed {
  readonly plan: KillPlan;
  /**
   * Whether the kill or suspension has happened: a kill is missed when the process was not running,
   * or when no app reached the point in time; a suspension is missed when the app was killed
   * meanwhile.
   */
  readonly isDone: boolean;
}

/** A fault of provider requests that was added, and how many requests it has hit. */
export interface FaultDeed {
  readonly plan: FaultPlan;
  readonly hits: number;
}

/** What is killed, by the name that the report prints. */
export const targetOf = (plan: KillPlan): string => {
  if ('point' in plan) return plan.point;
  return 'victim' in plan ? plan.victim : 'suspended';
};

/** Counts by name, in the order of their first occurrence. */
export const tally = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** Adds faults of provider requests, and counts the requests that they hit. */
export class ProviderFaults {
  private open: { readonly id: string; readonly plan: FaultPlan }[] = [];
  private readonly ended: FaultDeed[] = [];

  constructor(private readonly sandbox: Sandbox) {}

  get deeds(): readonly FaultDeed[] {
    return this.ended;
  }

  async add(plan: FaultPlan): Promise<void> {
    const { atStep: _atStep, ...fault } = plan;
    this.open.push({ id: await this.sandbox.addListedFault(fault), plan });
  }

  /** Removes the faults that have not hit all their requests. */
  async clear(): Promise<void> {
    const hits = await this.sandbox.hitsOfFaults();
    await this.sandbox.clearFaults();
    for (const { id, plan } of this.open) {
      // The sandbox removes a fault that has hit all its requests.
      this.ended.push({ plan, hits: hits.get(id) ?? plan.count });
    }
    this.open = [];
  }
}
