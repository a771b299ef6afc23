import { CORRECTION_KINDS } from './ledger-entries.js';

/**
 * SQL about the payout line `l`, of the payout `p` in `payout_list`. Each entry of the journal
 * counts for at most one line: the entry of an object for the first line of the object, and a
 * correction for the line with its payout, kind and id.
 */

/** 1 if a line of the kind increases what the provider owes the merchant, -1 if it decreases it. */
const signOf = (kind: string): string =>
  `CASE WHEN ${kind} IN ('payment', 'dispute_reversal') THEN 1 ELSE -1 END`;

export const LINE_SIGN = signOf('l.kind');

/** The payout and the id of an earlier line of the same object; null: the line is the first. */
export const EARLIER_LINE = `
  SELECT min(o.payout_id || ' ' || o.object_id) AS other FROM payout_lines o
    JOIN payout_list e ON e.payout_id = o.payout_id
   WHERE o.account_id = l.account_id AND o.kind = l.kind AND o.journal_id = l.journal_id
     AND e.status <> 'failed'
     AND (e.date, e.payout_id, o.object_id) < (p.date, p.payout_id, l.object_id)`;

/**
 * Joins what the journal contains for the object of the line: its entry `j`, an earlier line of the
 * object (`earlier.other`), and the money of the entry that counts for this line (`booked.amount`,
 * without a sign, and `booked.fee`).
 */
export const BOOKED_OF_LINE = `
    LEFT JOIN ledger_journal j
      ON j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id
   CROSS JOIN LATERAL (${EARLIER_LINE}) AS earlier
   CROSS JOIN LATERAL (
     SELECT CASE WHEN earlier.other IS NULL THEN coalesce(j.amount_minor, 0) ELSE 0 END AS amount,
            CASE WHEN earlier.other IS NULL THEN coalesce(j.fees_minor, 0) ELSE 0 END AS fee)
     AS booked`;

/** In the form in which the index of the corrections has them, because only then it is used. */
const CORRECTED = CORRECTION_KINDS.map((kind) => `'${kind}'`).join(', ');

/**
 * The sums of the corrections by which operators have accepted lines of a payout, or of all payouts
 * of the account; one row for each line with a correction that is not reversed. The amount has no
 * sign, like that of a line.
 */
export const correctionsOf = (accountId: string, payoutId?: string): string => `
  SELECT f.stream_id AS payout_id, k.kind, f.object_id, sum(f.fees_minor) AS fee,
         (${signOf('k.kind')}) * sum(f.provider_minor + f.fees_minor) AS amount
    FROM ledger_journal f
   CROSS JOIN LATERAL (SELECT replace(f.kind, '_correction', '') AS kind) AS k
   WHERE f.account_id = ${accountId} AND f.kind IN (${CORRECTED})
     ${payoutId === undefined ? '' : `AND f.stream_id = ${payoutId}`}
   GROUP BY f.stream_id, k.kind, f.object_id
  HAVING sum(f.fees_minor) <> 0 OR sum(f.provider_minor) <> 0`;
