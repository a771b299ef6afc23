import type { EffectRequest } from '#kernel';
import type { JobClaim, RequestedCall, Step } from './step.js';

/** A provider request that this process begins: its claim was committed with the request. */
export interface BegunCall extends EffectRequest, JobClaim {
  /** The number of events of the subject after the commit. */
  readonly subjectVersion: number;
}

/** Begins the provider requests of a step in the process that commits the step. */
export interface CallStarter {
  /** Reserves a slot for the request; null if the request must be queued for any worker. */
  reserve(call: EffectRequest): JobClaim | null;
  /** Frees a reserved slot: the request was not committed, or was queued. */
  release(call: EffectRequest & JobClaim): void;
  /** Runs the request. Errors are the starter's: the step is committed already. */
  begin(call: BegunCall): void;
}

/**
 * The step with a claim for each request that this process can begin. Requests of one subject run in
 * sequence, so only the first of them may begin.
 */
export const withClaims = (step: Step, starter: CallStarter): Step => {
  if (step.effects.length === 0) return step;
  const subjects = new Set<string>();
  const effects = step.effects.map((call): RequestedCall => {
    if (subjects.has(call.subjectId)) return call;
    subjects.add(call.subjectId);
    return { ...call, begun: starter.reserve(call) };
  });
  return { ...step, effects };
};

/** Frees the slots of a step that was not committed. */
export const releaseCalls = ({ effects }: Step, starter: CallStarter): void => {
  for (const { begun, ...call } of effects)
    if (begun !== null) starter.release({ ...call, ...begun });
};

/** Begins the requests of a committed step, except those that the commit has queued. */
export const beginCalls = (
  { effects, appends }: Step,
  starter: CallStarter,
  queued: readonly string[],
): void => {
  for (const { begun, ...call } of effects) {
    if (begun === null) continue;
    const claimed = { ...call, ...begun };
    const append = appends.find(({ streamId }) => streamId === call.subjectId);
    const subjectVersion = append ? append.expectedVersion + append.events.length : 0;
    if (queued.includes(call.jobId)) starter.release(claimed);
    else starter.begin({ ...claimed, subjectVersion });
  }
};
