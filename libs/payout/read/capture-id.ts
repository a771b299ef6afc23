/**
 * SQL for the capture id of a ledger entry, or null. Entries booked before captures had ids contain
 * none: a payment had only one capture then, whose id is derived from the payment's. `entry` is the
 * alias of the entry with its dot (`j.`), or empty.
 */
export const captureIdSql = (entry = ''): string =>
  `coalesce(${entry}capture_id,
            CASE ${entry}kind WHEN 'payment' THEN 'cap_' || substr(${entry}stream_id, 5) END)`;
