import { AssertionFailed, Rejection } from '#kernel';
import { StepConflict } from '#event-store';

/** Of what the outside world gets over by itself, as SQLSTATE classes and codes. */
const PASSING_SQL_STATES =
  /^(08|53|57|58)|^(40001|40P01|55P03|25P02|25P03|25P04|25006)$/;

const PASSING_SYSTEM_CODES = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND',
  'EAI_AGAIN', 'ECONNABORTED', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE',
]);

/** The database client's own words, which carry no code. */
const PASSING_MESSAGES = [
  'Connection terminated', 'timeout exceeded when trying to connect', 'Query read timeout',
  'Client has encountered a connection error', 'Cannot use a pool after calling end',
];

/**
 * `passing`: infrastructure, so the same thing works later. `final`: the code has decided, so the
 * same thing fails again. `doubtful`: anything else, worth a second try.
 */
export type ErrorKind = 'passing' | 'final' | 'doubtful';

export const errorKind = (error: unknown): ErrorKind => {
  if (error instanceof StepConflict) return 'passing';
  if (error instanceof Rejection || error instanceof AssertionFailed) return 'final';
  if (!(error instanceof Error)) return 'doubtful';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (PASSING_SYSTEM_CODES.has(code)) return 'passing';
  if (/^[0-9A-Z]{5}$/.test(code) && PASSING_SQL_STATES.test(code)) return 'passing';
  if (error instanceof AggregateError) {
    return error.errors.every((one) => errorKind(one) === 'passing') ? 'passing' : 'doubtful';
  }
  const { message } = error;
  return PASSING_MESSAGES.some((text) => message.includes(text)) ? 'passing' : 'doubtful';
};
