import { AssertionFailed, Rejection } from '#kernel';
import { StepConflict } from './conflict.js';
import { WrittenByNewerRelease } from './upcast.js';

/** The SQLSTATE codes of transient errors. */
const TRANSIENT_SQL_STATES = /^(08|53|57|58)|^(40001|40P01|55P03|25P02|25P03|25P04|25006)$/;

const TRANSIENT_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNABORTED',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
]);

/** Messages of errors of the database client that have no code. */
const TRANSIENT_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
];

/**
 * `transient`: the infrastructure failed; a retry may succeed. `final`: our code has rejected the
 * work, so a retry fails, too. `newer`: only a newer release can process the data, so a retry by a
 * process of that release may succeed. `unknown`: any other error, most likely a bug.
 */
export type ErrorKind = 'transient' | 'final' | 'newer' | 'unknown';

export const errorKind = (error: unknown): ErrorKind => {
  if (error instanceof StepConflict) return 'transient';
  if (error instanceof WrittenByNewerRelease) return 'newer';
  if (error instanceof Rejection || error instanceof AssertionFailed) return 'final';
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (TRANSIENT_SYSTEM_CODES.has(code)) return 'transient';
  if (/^[0-9A-Z]{5}$/.test(code) && TRANSIENT_SQL_STATES.test(code)) return 'transient';
  if (error instanceof AggregateError) {
    return error.errors.every((one) => errorKind(one) === 'transient') ? 'transient' : 'unknown';
  }
  const { message } = error;
  return TRANSIENT_MESSAGES.some((text) => message.includes(text)) ? 'transient' : 'unknown';
};
