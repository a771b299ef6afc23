import {
  EXCEPTION_COLUMNS,
  idOf,
  KEEP_OR_REOPEN,
  OPEN_OR_CLOSED_BY_OPERATOR,
} from './exception-sql.js';

/** Whether a payout should contain the ledger entry `j`. */
const EXPECTED_IN_PAYOUT = `j.kind IN ('payment', 'refund', 'dispute', 'dispute_reversal')`;

/** Whether a payout contains the ledger entry of the row, whose column `kind` has its kind. */
const IN_A_PAYOUT = (row: string, kind = 'kind'): string => `
  EXISTS (SELECT FROM payout_lines l
            JOIN payout_list p ON p.payout_id = l.payout_id AND p.status <> 'failed'
           WHERE l.account_id = ${row}.account_id AND l.kind = ${row}.${kind}
             AND l.journal_id = ${row}.object_id)`;

/** The id of the break of the ledger entry `j` that is in no payout. */
const overdueId = (problem: 'missing' | 'late'): string =>
  idOf('j.account_id', `'${problem}'`, 'j.kind', 'j.object_id');

/** The day on which the failure of the newest failed payout with the row's entry was observed. */
const LAST_FAILURE = (row: string, kind = 'kind'): string => `
  (SELECT max(p.failed_on) FROM payout_lines l
     JOIN payout_list p ON p.payout_id = l.payout_id AND p.status = 'failed'
    WHERE l.account_id = ${row}.account_id AND l.kind = ${row}.${kind}
      AND l.journal_id = ${row}.object_id)`;

/**
 * Finds at most $7 journal entries of day $2 that are in no payout. `missing`: a later payout
 * should have contained the entry. `late`: no later payout was made, because daily totals were
 * negative, or the payout failed. An entry is reported when the payouts of day $2 and of the two
 * days after have been read. Later payouts are not awaited, because a payout whose totals do not
 * match is read again for two days. An entry of a failed payout is expected again from the day on
 * which the failure was observed. $1 account, $3 and $4 its platform and merchant, $5 time, $6 the
 * first day whose entries may still arrive.
 */
export const OVERDUE_OF_DAY = `
  WITH absent AS MATERIALIZED (
    SELECT j.* FROM ledger_journal j
     WHERE j.account_id = $1 AND ${EXPECTED_IN_PAYOUT}
       AND j.at >= ($2::date)::timestamp AT TIME ZONE 'UTC'
       AND j.at < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'
       AND NOT ${IN_A_PAYOUT('j')}),
  overdue AS (
    SELECT ${idOf('j.account_id', 's.kind', 'j.kind', 'j.object_id')} AS id, s.kind AS problem,
           w.since, j.*
      FROM absent j
     CROSS JOIN LATERAL (SELECT greatest($2::date, ${LAST_FAILURE('j')}) AS since) AS w
     CROSS JOIN LATERAL (
       SELECT CASE WHEN EXISTS (
                SELECT FROM payout_list p
                 WHERE p.account_id = j.account_id AND p.currency = j.currency
                   AND p.status <> 'failed' AND p.lines_read AND p.date > w.since)
              THEN 'missing' ELSE 'late' END AS kind) AS s
     WHERE w.since < $6::date
       AND NOT EXISTS (
         SELECT FROM payout_list p
          WHERE p.account_id = j.account_id AND p.currency = j.currency
            AND p.status <> 'failed' AND NOT p.lines_read
            AND p.date BETWEEN $2::date AND w.since + 2))
  INSERT INTO reconciliation_exceptions AS x (${EXCEPTION_COLUMNS})
  SELECT t.id, t.problem, t.account_id, $3, $4, t.kind, t.object_id,
         t.stream_id, NULL, t.currency, t.amount_minor, 'in a payout by ' || (t.since + 1), 'in no payout',
         $2::date, $5
    FROM overdue t
   WHERE NOT EXISTS (SELECT FROM reconciliation_exceptions x
                      WHERE x.exception_id = t.id AND ${OPEN_OR_CLOSED_BY_OPERATOR})
   LIMIT $7
  ${KEEP_OR_REOPEN}`;

/**
 * Closes breaks of entries that a payout now contains, and `late` breaks of entries that are now
 * `missing`; at most $3. $1 account, $2 time.
 */
export const CLOSE_OVERDUE = `
  UPDATE reconciliation_exceptions x
     SET closed_at = $2, closed_by = 'facts',
         close_reason = CASE WHEN s.has_come THEN 'the line is in a payout' ELSE 'recorded as missing' END
    FROM (SELECT * FROM (
            SELECT e.exception_id, e.kind,
                   ${IN_A_PAYOUT('j')} AS has_come,
                   EXISTS (SELECT FROM reconciliation_exceptions m
                            WHERE m.account_id = e.account_id AND m.kind = 'missing'
                              AND m.line_kind = e.line_kind AND m.object_id = e.object_id
                              AND m.closed_at IS NULL) AS is_missing
              FROM reconciliation_exceptions e
              JOIN ledger_journal j ON j.account_id = e.account_id AND j.kind = e.line_kind
                                   AND j.object_id = e.object_id
             WHERE e.account_id = $1 AND e.kind IN ('missing', 'late') AND e.closed_at IS NULL) AS o
           WHERE o.has_come OR o.kind = 'late' AND o.is_missing LIMIT $3) AS s
   WHERE x.exception_id = s.exception_id`;

/**
 * Closes the `missing` and `late` breaks of an account whose provider has no payouts; at most $3
 * breaks. $1 account, $2 time.
 */
export const CLOSE_WITHOUT_PAYOUTS = `
  UPDATE reconciliation_exceptions x
     SET closed_at = $2, closed_by = 'facts', close_reason = 'the provider has no payouts'
   WHERE x.exception_id IN (
     SELECT e.exception_id FROM reconciliation_exceptions e
      WHERE e.account_id = $1 AND e.kind IN ('missing', 'late') AND e.closed_at IS NULL LIMIT $3)`;

/**
 * Closes the breaks of a payout that has failed, except contradictions between its reads; at
 * most $3. $1 account, $2 time.
 */
export const CLOSE_FAILED = `
  UPDATE reconciliation_exceptions x
     SET closed_at = $2, closed_by = 'facts', close_reason = 'the payout has failed'
   WHERE x.exception_id IN (
     SELECT e.exception_id FROM reconciliation_exceptions e
       JOIN payout_list p ON p.payout_id = e.payout_id AND p.status = 'failed'
      WHERE e.account_id = $1 AND e.closed_at IS NULL
        AND NOT (e.line_kind = 'payout' AND p.mismatches > 0) LIMIT $3)`;

/**
 * Whether money of the account of the expression is still to be paid out or explained: a ledger
 * entry is in no payout, and operators have not closed its break; or a break is open.
 */
export const HAS_UNPAID = (account: string): string => `
  (EXISTS (
     SELECT FROM ledger_journal j
      WHERE j.account_id = ${account} AND ${EXPECTED_IN_PAYOUT} AND NOT ${IN_A_PAYOUT('j')}
        AND NOT EXISTS (
          SELECT FROM reconciliation_exceptions x
           WHERE x.exception_id IN (${overdueId('missing')}, ${overdueId('late')})
             AND x.closed_by <> 'facts'))
   OR EXISTS (
     SELECT FROM reconciliation_exceptions x
      WHERE x.account_id = ${account} AND x.closed_at IS NULL))`;

/** The time at which the last completed read of the account's list of payouts began. $1 account. */
export const LAST_LIST_READ = `
  SELECT progress ->> 'readAt' AS at FROM jobs
   WHERE kind = 'account.payouts' AND key = $1`;

/**
 * Returns the stored first unsettled day; if none is stored yet, the day of the first journal
 * entry.
 */
export const READ_MARK = `
  SELECT coalesce(
           (SELECT settled_before FROM reconciliation_marks WHERE account_id = $1),
           (SELECT min((at AT TIME ZONE 'UTC')::date) FROM ledger_journal WHERE account_id = $1)
         )::text AS day`;

/** The id of the break of a late entry as missing. */
const MISSING_ID = idOf('late.account_id', `'missing'`, 'late.line_kind', 'late.object_id');

/**
 * The days with late entries that have become missing, because a payout was made since, even if an
 * operator has closed the break. $1 account.
 */
const LATE_DAYS = `
  SELECT late.since::text
    FROM reconciliation_exceptions late
   WHERE late.account_id = $1 AND late.kind = 'late' AND late.line_kind <> 'payout'
     AND late.closed_by IS DISTINCT FROM 'facts'
     AND EXISTS (SELECT FROM payout_list p
                  WHERE p.account_id = late.account_id AND p.currency = late.currency
                    AND p.status <> 'failed' AND p.lines_read
                    AND p.date > greatest(late.since, ${LAST_FAILURE('late', 'line_kind')}))
     AND NOT EXISTS (SELECT FROM reconciliation_exceptions x
                      WHERE x.exception_id = ${MISSING_ID} AND ${OPEN_OR_CLOSED_BY_OPERATOR})
     AND NOT ${IN_A_PAYOUT('late', 'line_kind')}`;

/**
 * The days to check, newest first: the days from the stored day $2 to the day before $3, and all
 * earlier days with entries whose payout has failed since $2, or that were late and have become
 * missing. $1 account.
 */
export const DAYS = `
  SELECT ($2::date + n)::text AS day
    FROM generate_series(0, $3::date - $2::date - 1) AS n
   UNION
  SELECT (j.at AT TIME ZONE 'UTC')::date::text
    FROM payout_list p
    JOIN payout_lines l ON l.payout_id = p.payout_id
    JOIN ledger_journal j ON j.account_id = l.account_id AND j.kind = l.kind
                         AND j.object_id = l.journal_id
   WHERE p.account_id = $1 AND p.status = 'failed' AND p.failed_on >= $2::date
     AND j.at < ($3::date)::timestamp AT TIME ZONE 'UTC'
   UNION ${LATE_DAYS}
   ORDER BY day DESC`;

/**
 * Stores the first day whose entries may still be unsettled. $1 account, $2 the new first day, $3
 * the previously stored day; the stored day never decreases. If lines of a payout are unread, the
 * days since $4 days before the date of the payout stay unsettled.
 */
export const WRITE_MARK = `
  INSERT INTO reconciliation_marks (account_id, settled_before)
  SELECT $1, greatest($3::date, least($2::date, min(p.date) - $4::integer))
    FROM payout_list p
   WHERE p.account_id = $1
     AND p.status <> 'failed' AND NOT p.lines_read
      ON CONFLICT (account_id) DO UPDATE SET settled_before = excluded.settled_before`;
