import { BOOKED_OF_LINE, correctionsOf } from '#payout';
import {
  EXCEPTION_COLUMNS,
  idOf,
  KEEP_OR_REOPEN,
  OPEN_OR_CLOSED_BY_OPERATOR,
} from './exception-sql.js';

/** The SQL that compares payout lines with the journal, many rows per statement. */

const CLOSED = `closed_at = $4, closed_by = 'facts', close_reason = 'the difference no longer exists'`;

/** The corrections of the payout $1. */
const CORRECTIONS = correctionsOf(
  '(SELECT account_id FROM payout_list WHERE payout_id = $1)',
  '$1',
);

/** The line of the payout $1 to which the correction `c` belongs. */
const LINE_OF_CORRECTION = `
  SELECT FROM payout_lines s
   WHERE s.payout_id = $1 AND s.kind = c.kind AND s.object_id = c.object_id`;

/**
 * Compares one chunk of lines with what the journal contains for them. A line that the provider has
 * removed after operators accepted it is a line of zero, until its correction is reversed.
 * $1 payout, $2 and $3 the kind and id of the last line before the chunk, $4 business time, $5 lines
 * at most.
 */
const compareChunk = (which: string): string => `
  WITH corrections AS MATERIALIZED (${CORRECTIONS}),
  lines AS (
    SELECT l.kind, l.object_id, l.account_id, l.payment_id, l.journal_id, l.currency,
           l.amount_minor, l.fee_minor, l.occurrences
      FROM payout_lines l WHERE l.payout_id = $1
     UNION ALL
    SELECT c.kind, c.object_id, p.account_id, NULL, NULL, p.currency, 0, 0, 0
      FROM corrections c JOIN payout_list p ON p.payout_id = $1
     WHERE NOT EXISTS (${LINE_OF_CORRECTION})),
  picked AS MATERIALIZED (
    SELECT l.* FROM lines l WHERE (l.kind, l.object_id) > ($2, $3) ${which}
     ORDER BY l.kind, l.object_id LIMIT $5),
  chunk AS MATERIALIZED (
    SELECT l.*, p.payout_id, p.date, p.platform_id, p.merchant_id, p.currency AS payout_currency,
           j.event_id IS NULL AND c.kind IS NULL AND earlier.other IS NULL AS is_unknown,
           earlier.other, earlier.other IS NOT NULL OR l.occurrences > 1 AS is_repeated,
           j.currency AS our_currency, l.occurrences * l.amount_minor AS shown_amount,
           coalesce(l.occurrences * l.fee_minor, -1) AS shown_fee,
           booked.amount + coalesce(c.amount, 0) AS our_amount,
           booked.fee + coalesce(c.fee, 0) AS our_fee
      FROM picked l
      JOIN payout_list p ON p.payout_id = $1
      LEFT JOIN corrections c ON c.kind = l.kind AND c.object_id = l.object_id
      ${BOOKED_OF_LINE}),
  problems AS MATERIALIZED (
    SELECT ${idOf('c.account_id', 's.kind', 'c.kind', 'c.object_id', 'c.payout_id')} AS id,
           s.kind AS problem, s.expected, s.observed, c.*
      FROM chunk c CROSS JOIN LATERAL (VALUES
        ('unknown', 'an entry of our journal', 'none', c.is_unknown),
        ('amount', c.our_amount::text, c.shown_amount::text,
         NOT c.is_unknown AND NOT c.is_repeated AND c.our_amount <> c.shown_amount),
        ('currency', c.our_currency,
         CASE WHEN c.our_currency <> c.currency THEN c.currency ELSE c.payout_currency END,
         c.our_currency <> c.currency OR c.our_currency <> c.payout_currency),
        ('fee', c.our_fee::text, CASE WHEN c.shown_fee < 0 THEN 'none' ELSE c.shown_fee::text END,
         NOT c.is_unknown AND NOT c.is_repeated AND c.our_fee <> c.shown_fee),
        ('duplicate', 'one line', coalesce(c.other, c.occurrences || ' in this payout'),
         c.is_repeated AND (c.our_amount <> c.shown_amount OR c.our_fee <> c.shown_fee))
      ) AS s(kind, expected, observed, holds)
     WHERE s.holds),
  found AS (
    INSERT INTO reconciliation_exceptions AS x (${EXCEPTION_COLUMNS})
    SELECT id, problem, account_id, platform_id, merchant_id, kind, object_id, payment_id,
           payout_id, currency, amount_minor, expected, observed, date, $4 FROM problems
    ${KEEP_OR_REOPEN}),
  over AS (
    UPDATE reconciliation_exceptions x SET ${CLOSED}
      FROM chunk c
     WHERE x.payout_id = c.payout_id AND x.line_kind = c.kind AND x.object_id = c.object_id
       AND x.closed_at IS NULL AND x.exception_id NOT IN (SELECT id FROM problems))
  SELECT count(*)::int AS lines,
         (SELECT count(DISTINCT (kind, object_id))::int FROM problems
           WHERE occurrences > 0) AS differing,
         (SELECT kind FROM chunk ORDER BY kind DESC, object_id DESC LIMIT 1) AS "lastKind",
         (SELECT object_id FROM chunk ORDER BY kind DESC, object_id DESC LIMIT 1) AS "lastObject"
    FROM chunk`;

export const COMPARE_LINES = compareChunk('');

/**
 * Compares only the lines that differed in the last comparison of the payout, and those with a
 * correction. Other lines that matched still match, because journal entries never change.
 */
export const COMPARE_DIFFERING = compareChunk(`
       AND (l.kind, l.object_id) IN (
         SELECT x.line_kind, x.object_id FROM reconciliation_exceptions x
          WHERE x.payout_id = $1 AND ${OPEN_OR_CLOSED_BY_OPERATOR}
          UNION SELECT c.kind, c.object_id FROM corrections c)`);

/**
 * Closes the breaks of lines that the payout no longer contains, and of which no correction
 * remains. $1 payout, $2 time.
 */
export const CLOSE_REMOVED = `
  UPDATE reconciliation_exceptions x SET ${CLOSED.replaceAll('$4', '$2')}
   WHERE x.payout_id = $1 AND x.line_kind <> 'payout' AND x.closed_at IS NULL
     AND NOT EXISTS (SELECT FROM payout_lines l
                      WHERE l.payout_id = x.payout_id AND l.kind = x.line_kind
                        AND l.object_id = x.object_id)
     AND (x.line_kind, x.object_id) NOT IN (
       SELECT c.kind, c.object_id FROM (${CORRECTIONS}) AS c)`;

export const COUNT_LINES = 'SELECT count(*)::int AS lines FROM payout_lines WHERE payout_id = $1';

/**
 * Writes the breaks of a payout as a whole. $1 payout, $2 a JSON list of {kind, about, expected,
 * observed}, one for each break that exists now, $3 time.
 */
export const COMPARE_FIGURES = `
  WITH problems AS MATERIALIZED (
    SELECT ${idOf('p.account_id', 's.kind', `'payout'`, 'p.payout_id', 's.about')} AS id,
           s.kind AS problem, s.expected, s.observed, p.*
      FROM payout_list p
     CROSS JOIN json_to_recordset($2) AS s(kind text, about text, expected text, observed text)
     WHERE p.payout_id = $1),
  found AS (
    INSERT INTO reconciliation_exceptions AS x (${EXCEPTION_COLUMNS})
    SELECT id, problem, account_id, platform_id, merchant_id, 'payout', payout_id, NULL,
           payout_id, currency, amount_minor, expected, observed, date, $3 FROM problems
    ${KEEP_OR_REOPEN})
  UPDATE reconciliation_exceptions x
     SET ${CLOSED.replaceAll('$4', '$3')}
   WHERE x.payout_id = $1 AND x.line_kind = 'payout' AND x.closed_at IS NULL
     AND x.exception_id NOT IN (SELECT id FROM problems)`;

/**
 * Whether the payout was found before today. For a payout found today, e.g. after days of downtime,
 * lines and status may not have been read yet.
 */
const FOUND_BEFORE = `
  (SELECT left(e.data ->> 'at', 10)::date FROM events e
    WHERE e.stream_type = 'payout' AND e.stream_id = p.payout_id AND e.version = 1) < $2::date`;

/**
 * The payouts of the account $1 with a corrected line that differs from the ledger again: the line
 * has changed or was removed, or its entry was booked only later or became that of another line.
 */
const CORRECTED_AND_DIFFERING = `
  SELECT c.payout_id FROM (${correctionsOf('$1')}) AS c
    JOIN payout_list p ON p.payout_id = c.payout_id
    LEFT JOIN payout_lines l
      ON l.payout_id = c.payout_id AND l.kind = c.kind AND l.object_id = c.object_id
    ${BOOKED_OF_LINE}
   WHERE booked.amount + c.amount <> coalesce(l.occurrences * l.amount_minor, 0)
      OR (booked.fee + c.fee) IS DISTINCT FROM
         (CASE WHEN l.payout_id IS NULL THEN 0 ELSE l.occurrences * l.fee_minor END)`;

/**
 * The payouts to compare: those whose lines were read and not compared yet (\`isNew\`), that have
 * an open break, that have a corrected line that differs again, whose lines are unread a day after
 * their date, that are not paid $3 days after their date, or that have a mismatch between reads. $1
 * account, $2 today.
 */
export const PAYOUTS_TO_COMPARE = `
  SELECT p.payout_id AS id, p.lines_read AND p.matched IS NULL AS "isNew" FROM payout_list p
   WHERE p.account_id = $1
     AND (p.mismatches > 0
          OR (p.status <> 'failed' AND NOT p.lines_read AND p.date < $2::date - 1
              OR p.status NOT IN ('paid', 'failed') AND p.date < $2::date - $3::integer)
             AND ${FOUND_BEFORE}
          OR p.status <> 'failed' AND p.lines_read
             AND (p.matched IS NULL
                  OR EXISTS (SELECT FROM reconciliation_exceptions x
                              WHERE x.payout_id = p.payout_id AND x.closed_at IS NULL)
                  OR EXISTS (SELECT FROM json_each_text(p.exceptions::json) AS k
                              WHERE k.value <> '0')
                  OR p.payout_id IN (${CORRECTED_AND_DIFFERING})))
   ORDER BY p.date, p.payout_id`;

/** The number of open breaks of a payout's lines, by kind. $1 payout. */
export const OPEN_BY_KIND = `
  SELECT kind, count(*)::int AS count FROM reconciliation_exceptions
   WHERE payout_id = $1 AND line_kind <> 'payout' AND closed_at IS NULL GROUP BY kind`;

/**
 * The current end of the event log, including events that consumers cannot see yet because an older
 * transaction is still open.
 */
export const COMMITTED_BY_NOW = `
  SELECT epoch, pg_snapshot_xmax(pg_current_snapshot())::text AS id FROM log_identity`;

/**
 * Whether the projections have processed all events that were committed before $1 (epoch), $2
 * (xid8).
 */
export const HAVE_PROCESSED = `
  SELECT NOT EXISTS (
    SELECT FROM log_cursors c JOIN events e
        ON (e.epoch, e.transaction_id, e.position) > (c.epoch, c.transaction_id, c.position)
     WHERE c.name = ANY ($3) AND (e.epoch, e.transaction_id) < ($1, $2::xid8)) AS taken`;
