/**
 * How exceptions are written. What is found is keyed by what it is about, and what is no longer so
 * is closed, so each statement may run again at any time: twice is once. What a person has closed
 * stays closed.
 */

/** Lines or exceptions of one statement, so that readers of the log wait for none for long. */
export const CHUNK_ROWS = 10_000;

export const EXCEPTION_COLUMNS = `
  exception_id, kind, account_id, platform_id, merchant_id, line_kind, object_id, payment_id,
  payout_id, currency, amount_minor, expected, observed, since, found_at`;

export const KEEP_OR_REOPEN = `
  ON CONFLICT (exception_id) DO UPDATE
     SET closed_at = NULL, closed_by = NULL, close_reason = NULL,
         expected = excluded.expected, observed = excluded.observed
   WHERE x.closed_by = 'facts'`;

/** One that is open, or that a person has closed. */
export const STANDS = `(x.closed_at IS NULL OR x.closed_by <> 'facts')`;

/** An exception's id, of what it is about; a part that is NULL is none. */
export const idOf = (...parts: readonly string[]): string =>
  `'exc_' || md5(concat_ws(' ', ${parts.join(', ')}))`;
