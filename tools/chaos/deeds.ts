import type { Sandbox } from '../stack/sandbox.js';
import type { FaultPlan, KillPlan } from './schedule.js';

/** A planned kill or suspension, and whether it has happened. */
export interface KillDeed {
  readonly plan: KillPlan;
  /**
   * Whether the kill or suspension has happened. A kill is missed if the process was not running,
   * if no app reached the kill point in time, or if the fulfilment service was idle. A suspension
   * is missed if the app was killed meanwhile.
   */
  readonly isDone: boolean;
}

/** A fault of provider requests, and the number of requests that it affected. */
export interface FaultDeed {
  readonly plan: FaultPlan;
  readonly hits: number;
}

/** The name of the kill's target in the report. */
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

/** Adds faults of provider requests, and counts the requests that they affect. */
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
      // A fault that the sandbox no longer lists has affected all its requests.
      this.ended.push({ plan, hits: hits.get(id) ?? plan.count });
    }
    this.open = [];
  }
}
