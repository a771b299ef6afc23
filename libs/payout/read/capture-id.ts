/**
 * SQL for the capture of a ledger entry, or null. Entries booked before captures had ids have none:
 * a payment had one capture then, whose id is derived from the payment's. `entry`: the entry's
 * alias with its dot (`j.`), or empty.
 */
export const captureIdSql = (entry = ''): string =>
  `coalesce(${entry}capture_id,
            CASE ${entry}kind WHEN 'payment' THEN 'cap_' || substr(${entry}stream_id, 5) END)`;
