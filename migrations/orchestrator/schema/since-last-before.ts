/** What the schema has beyond that of the last release before 1.0, for a database of that release. */
export const SINCE_LAST_BEFORE = `
ALTER TABLE order_list ADD COLUMN paid_minor bigint NOT NULL DEFAULT 0;
ALTER TABLE payment_list ADD COLUMN captured_minor bigint NOT NULL DEFAULT 0;
-- Where a rebuild is under way.
ALTER TABLE IF EXISTS order_list_rebuild ADD COLUMN paid_minor bigint NOT NULL DEFAULT 0;
ALTER TABLE IF EXISTS payment_list_rebuild ADD COLUMN captured_minor bigint NOT NULL DEFAULT 0;
CREATE INDEX payment_list_captured_in_part ON payment_list (requested_at DESC, payment_id DESC)
 WHERE captured_minor > 0 AND captured_minor < amount_minor;
-- What was captured before is in the log, as are the statuses of merchants by our words.
INSERT INTO projection_rebuilds (projection)
SELECT unnest('{order_list,payment_list,merchant_list,merchant_exceptions}'::text[])
ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;
`;
