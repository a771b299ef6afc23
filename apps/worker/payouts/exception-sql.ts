/**
 * The SQL that writes reconciliation breaks. A break's id is derived from its subject, and a break
 * is closed when its cause no longer exists, so each statement is idempotent. A break that an
 * operator closed stays closed.
 */

/**
 * Payout lines or breaks per statement: short statements do not delay the consumers of the
 * event log.
 */
export const CHUNK_ROWS = 10_000;

export const EXCEPTION_COLUMNS = `
  exception_id, kind, account_id, platform_id, merchant_id, line_kind, object_id, payment_id,
  payout_id, currency, amount_minor, expected, observed, since, found_at`;

export const KEEP_OR_REOPEN = `
  ON CONFLICT (exception_id) DO UPDATE
     SET closed_at = NULL, closed_by = NULL, close_reason = NULL,
         expected = excluded.expected, observed = excluded.observed
   WHERE x.closed_by = 'facts'`;

/** Whether the break `x` is open, or was closed by an operator and not automatically. */
export const OPEN_OR_CLOSED_BY_OPERATOR = `(x.closed_at IS NULL OR x.closed_by <> 'facts')`;

/** The break's id, derived from its subject; a component that is NULL is omitted. */
export const idOf = (...parts: readonly string[]): string =>
  `'exc_' || md5(concat_ws(' ', ${parts.join(', ')}))`;
