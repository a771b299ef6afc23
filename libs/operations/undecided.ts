import { Rejection } from '#kernel';

/** The error codes for a request that the provider's state does not resolve. */
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
  new Rejection(
    code,
    `${what}: this does not resolve the request; retry the request, which reads the provider first`,
  );

/** The rejection for a request that failed so recently that it may still be executed. */
export const mayArrive = (): Rejection =>
  undecided(
    'may_still_arrive',
    'the request failed only a few minutes ago and may still be executed',
  );
