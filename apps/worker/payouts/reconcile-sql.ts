import { FEE_SQL } from '#payout';
import {
  EXCEPTION_COLUMNS,
  idOf,
  KEEP_OR_REOPEN,
  OPEN_OR_CLOSED_BY_OPERATOR,
} from './exception-sql.js';

/** The SQL that compares payout lines with the journal, many rows per statement. */

const CLOSED = `closed_at = $4, closed_by = 'facts', close_reason = 'the difference no longer exists'`;

/**
 * Compares one chunk of lines. $1 payout, $2 and $3 the kind and id of the last line before the
 * chunk, $4 business time, $5 lines at most.
 */
const compareChunk = (which: string): string => `
  WITH chunk AS MATERIALIZED (
    SELECT l.*, p.date, p.platform_id, p.merchant_id, p.currency AS payout_currency, j.event_id,
           j.amount_minor AS our_amount, j.currency AS our_currency, ${FEE_SQL} AS our_fee,
           (SELECT min(o.payout_id || ' ' || o.object_id) FROM payout_lines o
              JOIN payout_list e ON e.payout_id = o.payout_id
             WHERE o.account_id = l.account_id AND o.kind = l.kind AND o.journal_id = l.journal_id
               AND e.status <> 'failed'
               AND (e.date, e.payout_id, o.object_id) < (p.date, p.payout_id, l.object_id)) AS other
      FROM payout_lines l
      JOIN payout_list p ON p.payout_id = l.payout_id
      LEFT JOIN ledger_journal j
        ON j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id
     WHERE l.payout_id = $1 AND (l.kind, l.object_id) > ($2, $3) ${which}
     ORDER BY l.kind, l.object_id LIMIT $5),
  problems AS MATERIALIZED (
    SELECT ${idOf('c.account_id', 's.kind', 'c.kind', 'c.object_id', 'c.payout_id')} AS id,
           s.kind AS problem, s.expected, s.observed, c.*
      FROM chunk c CROSS JOIN LATERAL (VALUES
        ('unknown', 'an entry of our journal', 'none', c.event_id IS NULL),
        ('amount', c.our_amount::text, c.amount_minor::text, c.our_amount <> c.amount_minor),
        ('currency', c.our_currency,
         CASE WHEN c.our_currency <> c.currency THEN c.currency ELSE c.payout_currency END,
         c.our_currency <> c.currency OR c.our_currency <> c.payout_currency),
        ('fee', c.our_fee::text, coalesce(c.fee_minor::text, 'none'),
         c.our_fee <> coalesce(c.fee_minor, -1)),
        ('duplicate', 'one line', coalesce(c.other, c.occurrences || ' in this payout'),
         c.other IS NOT NULL OR c.occurrences > 1)
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
         (SELECT count(DISTINCT (kind, object_id))::int FROM problems) AS differing,
         (SELECT kind FROM chunk ORDER BY kind DESC, object_id DESC LIMIT 1) AS "lastKind",
         (SELECT object_id FROM chunk ORDER BY kind DESC, object_id DESC LIMIT 1) AS "lastObject"
    FROM chunk`;

export const COMPARE_LINES = compareChunk('');

/**
 * Compares only the lines that differed in the last comparison of the payout. Lines that matched
 * still match, because journal entries never change, and only fees that differ are corrected.
 */
export const COMPARE_DIFFERING = compareChunk(`
       AND EXISTS (SELECT FROM reconciliation_exceptions x
                    WHERE x.payout_id = l.payout_id AND x.line_kind = l.kind
                      AND x.object_id = l.object_id AND ${OPEN_OR_CLOSED_BY_OPERATOR})`);

/** Closes the breaks of lines that the payout no longer contains. $1 payout, $2 time. */
export const CLOSE_REMOVED = `
  UPDATE reconciliation_exceptions x SET ${CLOSED.replaceAll('$4', '$2')}
   WHERE x.payout_id = $1 AND x.line_kind <> 'payout' AND x.closed_at IS NULL
     AND NOT EXISTS (SELECT FROM payout_lines l
                      WHERE l.payout_id = x.payout_id AND l.kind = x.line_kind
                        AND l.object_id = x.object_id)`;

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
 * The payouts to compare: those whose lines were read and not compared yet (\`isNew\`), that have
 * an open break, whose lines are unread a day after their date, that are not paid $3 days after
 * their date, or that have a mismatch between reads. $1 account, $2 today.
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
                              WHERE k.value <> '0')))
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
