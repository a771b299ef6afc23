/**
 * SQL about the payout line `l`, of the payout `p` in `payout_list` and with the entry `j` of
 * `ledger_journal`.
 */

/** 1 if the line increases what the provider owes the merchant, -1 if it decreases it. */
export const LINE_SIGN = `CASE WHEN l.kind IN ('payment', 'dispute_reversal') THEN 1 ELSE -1 END`;

/** The payout and the id of an earlier line of the same object; null: the line is the first. */
export const EARLIER_LINE = `
  SELECT min(o.payout_id || ' ' || o.object_id) AS other FROM payout_lines o
    JOIN payout_list e ON e.payout_id = o.payout_id
   WHERE o.account_id = l.account_id AND o.kind = l.kind AND o.journal_id = l.journal_id
     AND e.status <> 'failed'
     AND (e.date, e.payout_id, o.object_id) < (p.date, p.payout_id, l.object_id)`;

/** Whether the payout of the correction `f` still pays a line of the object. */
const STILL_PAID = `
  EXISTS (SELECT FROM payout_lines s
            JOIN payout_list q ON q.payout_id = s.payout_id AND q.status <> 'failed'
           WHERE s.payout_id = f.stream_id AND s.kind = l.kind
             AND (s.object_id = l.object_id OR s.journal_id = l.journal_id))`;

/** Whether the correction `f` belongs to another payout, which no longer pays the object. */
const INHERITED = `d.other IS NULL AND f.stream_id <> l.payout_id AND NOT ${STILL_PAID}`;

const correctionsSql = (which: string): string => `
  SELECT (${LINE_SIGN}) * coalesce(sum(f.provider_minor + f.fees_minor + f.vat_minor), 0) AS amount,
         coalesce(sum(f.fees_minor), 0) AS fee, count(*) AS entries
    FROM ledger_journal f
   WHERE f.account_id = l.account_id AND f.object_id IN (l.object_id, l.journal_id)
     AND f.kind IN (l.kind || '_correction',
                    CASE WHEN l.kind <> 'dispute_reversal' THEN 'fee_correction' END)
     AND (${which})`;

/**
 * The corrections of the line that operators have accepted: those of its payout, and for the first
 * line of the object (`d.other` is null) those of payouts that have failed or changed, whose line
 * it was. The amount has no sign, like that of a line.
 */
export const CORRECTIONS = correctionsSql(`f.stream_id = l.payout_id OR ${INHERITED}`);

/** The corrections of the line without those of its own payout. */
export const INHERITED_CORRECTIONS = correctionsSql(INHERITED);
