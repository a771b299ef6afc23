import type { Step } from './step.js';

/** Another step was written first to what this step had read: read and decide anew. */
export class StepConflict extends Error {
  override readonly name = 'StepConflict';
}

/** The work of this step has been done already, by another process or an earlier try. */
export class StepSuperseded extends Error {
  override readonly name = 'StepSuperseded';
}

/** The name is taken by `holder`. */
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

/** The idempotency key has a response; the fingerprint shows whether it is a replay. */
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

/** One row of what `commit_steps` answers. */
export interface ConflictRow {
  readonly step: number;
  readonly kind: 'version' | 'saga' | 'job' | 'reservation' | 'answer';
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A holder who reserves its name a second time has not seen its own earlier step. */
const reservationError = ({ reservations }: Step, detail: ConflictRow['detail']): Error => {
  const { scope, key, holder } = detail;
  const isItsOwn = reservations.some(
    (one) => one.scope === scope && one.key === key && one.holder === holder,
  );
  return isItsOwn
    ? new StepConflict(`${String(scope)} '${String(key)}' was reserved by its holder meanwhile`)
    : new ReservationTaken(String(scope), String(key), String(holder));
};

/** `step`: the one that the row is about. */
export const conflictError = (step: Step, { kind, detail }: ConflictRow): Error => {
  switch (kind) {
    case 'version':
    case 'saga':
      return new StepConflict(`${kind} of ${String(detail['id'])} has moved on`);
    case 'job':
      return new StepSuperseded(`${kind} ${String(detail['id'])} has been dealt with`);
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
