import type { Step } from './step.js';

/** Thrown when another step has changed what this step had read: read and decide again. */
export class StepConflict extends Error {
  override readonly name = 'StepConflict';
}

/** Thrown when another process or an earlier attempt has already done the work of this step. */
export class StepSuperseded extends Error {
  override readonly name = 'StepSuperseded';
}

/** Thrown when `holder` has already reserved the name. */
export class ReservationTaken extends Error {
  override readonly name = 'ReservationTaken';

  constructor(
    readonly scope: string,
    readonly key: string,
    readonly holder: string,
  ) {
    super(`${scope} '${key}' is taken by ${holder}`);
  }
}

/**
 * Thrown when the idempotency key already has a response; the fingerprint shows whether the request
 * is a replay.
 */
export class AlreadyAnswered extends Error {
  override readonly name = 'AlreadyAnswered';

  constructor(
    readonly fingerprint: string,
    readonly status: number,
    readonly body: unknown,
  ) {
    super('the idempotency key has been used already');
  }
}

/** Why a step was not committed. */
export interface ConflictRow {
  readonly step: number;
  readonly kind: 'version' | 'saga' | 'job' | 'reservation' | 'answer';
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A job of a committed step that was queued instead of claimed; `key` is the job's. */
export interface QueuedRow {
  readonly step: number;
  readonly kind: 'queued';
  readonly detail: { readonly key: string };
}

/**
 * If the holder reserves its own name a second time, it has not seen its own earlier step: a
 * conflict.
 */
const reservationError = ({ reservations }: Step, detail: ConflictRow['detail']): Error => {
  const { scope, key, holder } = detail;
  const isItsOwn = reservations.some(
    (one) => one.scope === scope && one.key === key && one.holder === holder,
  );
  return isItsOwn
    ? new StepConflict(`${String(scope)} '${String(key)}' was reserved by its holder meanwhile`)
    : new ReservationTaken(String(scope), String(key), String(holder));
};

/** The error for a conflict row; `step` is the index of the step to which the row refers. */
export const conflictError = (step: Step, { kind, detail }: ConflictRow): Error => {
  switch (kind) {
    case 'version':
    case 'saga':
      return new StepConflict(`${kind} of ${String(detail['id'])} has changed meanwhile`);
    case 'job':
      return new StepSuperseded(`${kind} ${String(detail['id'])} was already processed`);
    case 'reservation':
      return reservationError(step, detail);
    case 'answer':
      return new AlreadyAnswered(
        String(detail['fingerprint']),
        Number(detail['status']),
        detail['body'],
      );
  }
};
