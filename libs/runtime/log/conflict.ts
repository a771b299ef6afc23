import { DatabaseBusy } from './database-busy.js';
import type { Step } from './step.js';

/** Thrown if another step has changed what this step has read: read and decide again. */
export class StepConflict extends Error {
  override readonly name = 'StepConflict';
}

/** Thrown if another process or an earlier attempt has already done the work of this step. */
export class StepSuperseded extends Error {
  override readonly name = 'StepSuperseded';
}

/** Thrown if the name is already reserved by `holder`. */
export class ReservationTaken extends Error {
  override readonly name = 'ReservationTaken';

  constructor(
    readonly scope: string,
    readonly key: string,
    readonly holder: string,
  ) {
    super(`${scope} '${key}' is reserved by ${holder}`);
  }
}

/**
 * Thrown if a response is already stored under the idempotency key. The fingerprint shows whether
 * this request is the one to which the response belongs.
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

/**
 * Whether it is certain that a step which failed with this error was not committed. After any other
 * error of a commit the step may have been committed, because only the response may be lost.
 */
export const isNotCommitted = (error: unknown): boolean =>
  error instanceof StepConflict ||
  error instanceof StepSuperseded ||
  error instanceof ReservationTaken ||
  error instanceof AlreadyAnswered ||
  error instanceof DatabaseBusy;

/** Why a step was not committed. */
export interface ConflictRow {
  readonly step: number;
  readonly kind: 'version' | 'saga' | 'job' | 'reservation' | 'answer';
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * A job that the committed step wanted to claim for this process but that has to wait; `key` is the
 * key of the job.
 */
export interface QueuedRow {
  readonly step: number;
  readonly kind: 'queued';
  readonly detail: { readonly key: string };
}

/**
 * If the name is already reserved by the aggregate that wants to reserve it, an earlier step of the
 * same aggregate was committed meanwhile: a conflict, so this step is decided again.
 */
const reservationError = ({ reservations }: Step, detail: ConflictRow['detail']): Error => {
  const { scope, key, holder } = detail;
  const isItsOwn = reservations.some(
    (one) => one.scope === scope && one.key === key && one.holder === holder,
  );
  return isItsOwn
    ? new StepConflict(
        `${String(scope)} '${String(key)}' was meanwhile reserved by the same holder`,
      )
    : new ReservationTaken(String(scope), String(key), String(holder));
};

/** The error for a row that describes a conflict of `step`. */
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
