import { onServer } from '../infra/databases.mjs';

/**
 * Falsifies stored lines of the oldest payout, as if the provider had made errors. (The sandbox
 * makes none.) The next daily reconciliation then finds a break of each kind. `n` is the position
 * of a line in the payout.
 */
const WRONG_LINES = `
  WITH oldest AS (
    SELECT l.payout_id, l.kind, l.object_id, row_number() OVER (ORDER BY l.object_id) AS n
      FROM payout_lines l
     WHERE l.kind = 'payment' AND l.payout_id = (
       SELECT payout_id FROM payout_lines WHERE kind = 'payment' AND payment_id IS NOT NULL
        GROUP BY payout_id HAVING count(*) > 4
        ORDER BY min(payout_id) LIMIT 1)),
  absent AS (
    DELETE FROM payout_lines l USING oldest o
     WHERE l.payout_id = o.payout_id AND l.kind = o.kind AND l.object_id = o.object_id AND o.n = 1),
  wrong AS (
    UPDATE payout_lines l
       SET fee_minor = l.fee_minor + CASE o.n WHEN 2 THEN 12 ELSE 0 END,
           amount_minor = l.amount_minor + CASE o.n WHEN 3 THEN 250 ELSE 0 END,
           currency = CASE o.n WHEN 4 THEN 'usd' ELSE l.currency END,
           places = CASE o.n WHEN 5 THEN '{0,1}' ELSE l.places END
      FROM oldest o
     WHERE l.payout_id = o.payout_id AND l.kind = o.kind AND l.object_id = o.object_id
       AND o.n BETWEEN 2 AND 5),
  again AS (
    UPDATE reconciliation_marks SET settled_before = settled_before - 10)
  UPDATE payout_list SET matched = NULL WHERE payout_id = (SELECT payout_id FROM oldest LIMIT 1)`;

/**
 * Adds a stream that is blocked until an upgrade. Only the record of the block is written. A real
 * event of a newer release would also block the events to the platform.
 */
const BLOCKED_STREAM = `
  INSERT INTO blocked_streams (reader, stream_type, stream_id, version, type, schema_version)
  SELECT 'projection:order_archive', 'order', order_id, 9, 'OrderArchived', 1 FROM order_list
   WHERE status = 'canceled' ORDER BY placed_at LIMIT 1
  ON CONFLICT DO NOTHING`;

/**
 * Creates problems that the sandbox cannot cause: wrong payout lines, and a stream with an event
 * that only a newer release can read.
 */
export const leaveProviderErrors = (databaseUrl: string): Promise<void> =>
  onServer(databaseUrl, async (client) => {
    await client.query(WRONG_LINES);
    await client.query(BLOCKED_STREAM);
  });
