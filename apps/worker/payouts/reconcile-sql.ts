/**
 * The comparison of payouts' lines with the journal, set-wise. What is found is keyed by what it is
 * about, and what is no longer so is closed, so each statement may run again at any time: twice is
 * once. Who was told by a person to close one keeps it closed.
 */

const EXCEPTION_COLUMNS = `
  exception_id, kind, account_id, platform_id, merchant_id, line_kind, object_id, payment_id,
  payout_id, currency, amount_minor, expected, observed, since, found_at`;

const KEEP_OR_REOPEN = `
  ON CONFLICT (exception_id) DO UPDATE
     SET closed_at = NULL, closed_by = NULL, close_reason = NULL,
         expected = excluded.expected, observed = excluded.observed
   WHERE x.closed_by = 'facts'`;

const CLOSED = `closed_at = $4, closed_by = 'facts', close_reason = 'it is no longer so'`;

const idOf = (...parts: readonly string[]): string => `'exc_' || md5(concat_ws(' ', ${parts.join(', ')}))`;

/** $1 payout, $2 and $3 the line before the chunk, $4 business time, $5 lines at most. */
export const COMPARE_CHUNK = `
  WITH chunk AS MATERIALIZED (
    SELECT l.*, p.date, p.platform_id, p.merchant_id, j.event_id,
           j.amount_minor AS our_amount, j.currency AS our_currency, j.fees_minor AS our_fee,
           (SELECT min(o.payout_id || ' ' || o.object_id) FROM payout_lines o
              JOIN payout_list e ON e.payout_id = o.payout_id
             WHERE o.account_id = l.account_id AND o.kind = l.kind AND o.journal_id = l.journal_id
               AND e.status <> 'failed'
               AND (e.date, e.payout_id, o.object_id) < (p.date, p.payout_id, l.object_id)) AS other
      FROM payout_lines l
      JOIN payout_list p ON p.payout_id = l.payout_id
      LEFT JOIN ledger_journal j
        ON j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id
     WHERE l.payout_id = $1 AND (l.kind, l.object_id) > ($2, $3)
     ORDER BY l.kind, l.object_id LIMIT $5),
  problems AS MATERIALIZED (
    SELECT ${idOf('c.account_id', 's.kind', 'c.kind', 'c.object_id', 'c.payout_id')} AS id,
           s.kind AS problem, s.expected, s.observed, c.*
      FROM chunk c CROSS JOIN LATERAL (VALUES
        ('unknown', 'an entry of our journal', 'none', c.event_id IS NULL),
        ('amount', c.our_amount::text, c.amount_minor::text, c.our_amount <> c.amount_minor),
        ('currency', c.our_currency, c.currency, c.our_currency <> c.currency),
        ('fee', c.our_fee::text, coalesce(c.fee_minor::text, 'none'),
         c.our_fee <> coalesce(c.fee_minor, -1)),
        ('duplicate', 'one line', coalesce(c.other, c.times || ' in this payout'),
         c.other IS NOT NULL OR c.times > 1)
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

/** $1 payout, $2 a JSON list of {kind, expected, observed} that hold, $3 nothing, $4 time. */
export const COMPARE_FIGURES = `
  WITH problems AS MATERIALIZED (
    SELECT ${idOf('p.account_id', 's.kind', `'payout'`, 'p.payout_id')} AS id, s.kind AS problem,
           s.expected, s.observed, p.*
      FROM payout_list p
     CROSS JOIN json_to_recordset($2) AS s(kind text, expected text, observed text)
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

const IN_A_PAYOUT = (journal: string): string => `
  EXISTS (SELECT FROM payout_lines l
            JOIN payout_list p ON p.payout_id = l.payout_id AND p.status <> 'failed'
           WHERE l.account_id = ${journal}.account_id AND l.kind = ${journal}.kind
             AND l.journal_id = ${journal}.object_id)`;

/**
 * What was booked on day $2 and is in no payout. It is told once all payouts since have been read:
 * \`missing\` where one was made that should have it, \`late\` where none was made at all, because
 * days were negative, or it failed. $1 account, $3 and $4 its platform and merchant, $5 time.
 */
export const OVERDUE_OF_DAY = `
  INSERT INTO reconciliation_exceptions AS x (${EXCEPTION_COLUMNS})
  SELECT ${idOf('j.account_id', 's.kind', 'j.kind', 'j.object_id')}, s.kind, j.account_id,
         $3, $4, j.kind, j.object_id, CASE j.kind WHEN 'payment' THEN j.object_id ELSE j.stream_id END,
         NULL, j.currency, j.amount_minor, 'in a payout by ' || ($2::date + 1), 'in none',
         $2::date, $5
    FROM ledger_journal j
   CROSS JOIN LATERAL (
     SELECT CASE WHEN EXISTS (
              SELECT FROM payout_list p
               WHERE p.account_id = j.account_id AND p.currency = j.currency
                 AND p.status <> 'failed' AND p.lines_read AND p.date > $2::date)
            THEN 'missing' ELSE 'late' END AS kind) AS s
   WHERE j.account_id = $1 AND j.kind IN ('payment', 'refund', 'dispute')
     AND j.at >= ($2::date)::timestamp AT TIME ZONE 'UTC'
     AND j.at < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'
     AND NOT ${IN_A_PAYOUT('j')}
     AND NOT EXISTS (
       SELECT FROM payout_list p
        WHERE p.account_id = j.account_id AND p.currency = j.currency
          AND p.status <> 'failed' AND NOT p.lines_read AND p.date >= $2::date)
  ${KEEP_OR_REOPEN}`;

/**
 * Closes what has come after all, and what is missing instead of late by now. $1 account, $2 time.
 */
export const CLOSE_OVERDUE = `
  UPDATE reconciliation_exceptions x
     SET closed_at = $2, closed_by = 'facts',
         close_reason = CASE WHEN s.has_come THEN 'it is in a payout' ELSE 'it is missing' END
    FROM (SELECT e.exception_id, e.kind,
                 ${IN_A_PAYOUT('j')} AS has_come,
                 EXISTS (SELECT FROM reconciliation_exceptions m
                          WHERE m.account_id = e.account_id AND m.kind = 'missing'
                            AND m.line_kind = e.line_kind AND m.object_id = e.object_id
                            AND m.closed_at IS NULL) AS is_missing
            FROM reconciliation_exceptions e
            JOIN ledger_journal j ON j.account_id = e.account_id AND j.kind = e.line_kind
                                 AND j.object_id = e.object_id
           WHERE e.account_id = $1 AND e.kind IN ('missing', 'late') AND e.closed_at IS NULL) AS s
   WHERE x.exception_id = s.exception_id AND (s.has_come OR s.kind = 'late' AND s.is_missing)`;

/** Read and not compared yet, or with something open that later facts may close. $1 account. */
export const PAYOUTS_TO_COMPARE = `
  SELECT p.payout_id AS id FROM payout_list p
   WHERE p.account_id = $1 AND p.lines_read AND p.status <> 'failed'
     AND (p.matched IS NULL
          OR EXISTS (SELECT FROM reconciliation_exceptions x
                      WHERE x.payout_id = p.payout_id AND x.closed_at IS NULL)
          OR EXISTS (SELECT FROM json_each_text(p.exceptions::json) AS k WHERE k.value <> '0'))
   ORDER BY p.date, p.payout_id`;

/** What the exceptions of a payout are now, and those of a failed one no more. $1 payout. */
export const OPEN_BY_KIND = `
  SELECT kind, count(*)::int AS count FROM reconciliation_exceptions
   WHERE payout_id = $1 AND closed_at IS NULL GROUP BY kind`;

/** What was found in a payout that has failed since says nothing any more. $1 account, $2 time. */
export const CLOSE_FAILED = `
  UPDATE reconciliation_exceptions x
     SET closed_at = $2, closed_by = 'facts', close_reason = 'the payout has failed'
    FROM payout_list p
   WHERE x.account_id = $1 AND x.closed_at IS NULL AND p.payout_id = x.payout_id
     AND p.status = 'failed'`;

export const READ_MARK = `
  SELECT settled_before::text AS day FROM reconciliation_marks WHERE account_id = $1
   UNION ALL
  SELECT min((at AT TIME ZONE 'UTC')::date)::text FROM ledger_journal WHERE account_id = $1
   LIMIT 1`;

export const WRITE_MARK = `
  INSERT INTO reconciliation_marks (account_id, settled_before) VALUES ($1, $2)
      ON CONFLICT (account_id) DO UPDATE SET settled_before = excluded.settled_before`;

/**
 * The end of all that is committed by now, also of what readers of the log still wait for because
 * an older transaction is open.
 */
export const COMMITTED_BY_NOW = `
  SELECT epoch, pg_snapshot_xmax(pg_current_snapshot())::text AS id FROM log_identity`;

/** Whether the projections have taken in all that was committed before $1 (epoch), $2 (xid8). */
export const HAVE_TAKEN = `
  SELECT NOT EXISTS (
    SELECT FROM log_cursors c JOIN events e
        ON (e.epoch, e.transaction_id, e.position) > (c.epoch, c.transaction_id, c.position)
     WHERE c.name = ANY ($3) AND (e.epoch, e.transaction_id) < ($1, $2::xid8)) AS taken`;
