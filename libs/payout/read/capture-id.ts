/**
 * SQL for the capture id of a ledger entry; null if the entry belongs to no capture. An entry that
 * was booked before captures had ids contains no capture id: at that time a payment had only one
 * capture, so the capture's id is derived from the payment's id. `entry` is the table alias with a
 * dot (`j.`), or empty.
 */
export const captureIdSql = (entry = ''): string =>
  `coalesce(${entry}capture_id,
            CASE ${entry}kind WHEN 'payment' THEN 'cap_' || substr(${entry}stream_id, 5) END)`;
