/** The SQLSTATE classes and codes of transient errors. */
const TRANSIENT_SQL_STATES = /^(08|53|58)|^(57P0[1-5]|40001|40P01|55P03|25P03|25P04|25006)$/;

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

/** Messages of pg errors that have no code. */
const TRANSIENT_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
];

/**
 * Whether PostgreSQL, or the connection to it, failed with an error after which the same statement
 * can succeed later.
 */
export const isTransientError = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (TRANSIENT_SYSTEM_CODES.has(code)) return true;
  if (/^[0-9A-Z]{5}$/.test(code) && TRANSIENT_SQL_STATES.test(code)) return true;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isTransientError);
  }
  return TRANSIENT_MESSAGES.some((text) => error.message.includes(text));
};
