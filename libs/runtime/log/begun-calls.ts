import type { EffectRequest } from '#kernel';
import { isNotCommitted } from './conflict.js';
import type { JobClaim, RequestedCall, Step } from './step.js';

/**
 * A request to the provider that the committing process begins itself, because the commit has also
 * claimed the job of the request.
 */
export interface BegunCall extends EffectRequest, JobClaim {
  /** The number of events in the stream of the subject after the commit. */
  readonly subjectVersion: number;
}

/** Begins the requests to the provider in the process that commits the step which requests them. */
export interface CallStarter {
  /**
   * Reserves a slot for the request; null if the job of the request must wait until a worker claims
   * the job.
   */
  reserve(call: EffectRequest): JobClaim | null;
  /** Frees a reserved slot, because the request was not committed, or because its job must wait. */
  release(call: EffectRequest & JobClaim): void;
  /**
   * Frees a reserved slot, too, if it is unknown whether the request was committed. If it was, its
   * job is given to the workers as a job that was never begun: no request was sent.
   */
  giveBack(call: EffectRequest & JobClaim): void;
  /** Runs the request. It handles its own errors, because the step is already committed. */
  begin(call: BegunCall): void;
}

/**
 * Adds a claim to each request of the step that this process can begin. The requests of a subject
 * run one after another, so only the first request of a subject gets a claim.
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

/** Frees the reserved slots of a step whose commit failed with this error. */
export const releaseCalls = ({ effects }: Step, starter: CallStarter, error: unknown): void => {
  for (const { begun, ...call } of effects) {
    if (begun === null) continue;
    const claimed = { ...call, ...begun };
    if (isNotCommitted(error)) starter.release(claimed);
    else starter.giveBack(claimed);
  }
};

/** Begins the requests of a committed step, except those whose jobs have to wait (`queued`). */
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
