import { Rejection } from '#kernel';

/** Why what is shown settles nothing. */
export const UNDECIDED = [
  'intent_absent',
  'outcome_not_shown',
  'refund_not_asked',
  'no_other_refund',
  'maybe_made',
  'refunds_not_shown',
  'may_arrive',
] as const;

export const undecided = (code: (typeof UNDECIDED)[number], what: string): Rejection =>
  new Rejection(code, `${what}: nothing is settled by that; retry the call, it looks first`);

/** For a call that got stuck a short while ago. */
export const mayArrive = (): Rejection =>
  undecided('may_arrive', 'it got stuck a few minutes ago, and may still arrive');
