import { Rejection } from '#kernel';

/** Why what is shown settles nothing. */
export const UNDECIDED = [
  'intent_not_found',
  'result_not_shown',
  'refund_not_requested',
  'no_other_refund',
  'possibly_ours',
  'refunds_not_listed',
  'may_still_arrive',
] as const;

export const undecided = (code: (typeof UNDECIDED)[number], what: string): Rejection =>
  new Rejection(code, `${what}: nothing is settled by that; retry the call, it looks first`);

/** For a call that got stuck a short while ago. */
export const mayArrive = (): Rejection =>
  undecided('may_still_arrive', 'it got stuck a few minutes ago, and may still arrive');
