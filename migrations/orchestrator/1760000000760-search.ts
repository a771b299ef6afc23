import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
-- The owner of a database may create this extension: the server only has to provide it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What orders and payments are found by. Rows are never changed: an index on parts of words in
-- order_list or payment_list would be updated with each of the many changes of an order. Ids are
-- compared byte by byte, so that an index finds their beginnings.
CREATE TABLE order_search (
  order_id  text COLLATE "C"  PRIMARY KEY,
  -- The reference, and the values of the platform's metadata.
  words     text              NOT NULL
);
CREATE TABLE payment_search (
  payment_id  text COLLATE "C"  PRIMARY KEY,
  intent_id   text COLLATE "C"
);

INSERT INTO order_search SELECT order_id, reference FROM order_list ORDER BY placed_at;
INSERT INTO payment_search
SELECT payment_id, intent_id FROM payment_list WHERE status <> 'requested' ORDER BY requested_at;
INSERT INTO rebuildable_tables VALUES ('order_search'), ('payment_search');
`;

/** An index of the reversed ids finds ids by their end. */
const INDEXES = `
CREATE INDEX order_search_by_end ON order_search (reverse(order_id) COLLATE "C");
CREATE INDEX order_search_by_part ON order_search USING gin (words gin_trgm_ops);
CREATE INDEX payment_search_by_end ON payment_search (reverse(payment_id) COLLATE "C");
CREATE INDEX payment_search_by_intent ON payment_search (intent_id);
CREATE INDEX payment_search_by_intent_end ON payment_search (reverse(intent_id) COLLATE "C");

CREATE INDEX merchant_list_by_part ON merchant_list
 USING gin ((merchant_id || ' ' || reference || ' ' || coalesce(company_id, '')) gin_trgm_ops);
CREATE INDEX payout_list_by_part ON payout_list
 USING gin ((payout_id || ' ' || reference) gin_trgm_ops);

CREATE INDEX payment_list_by_last_four
    ON payment_list (last_four, requested_at DESC, payment_id DESC) WHERE last_four IS NOT NULL;

-- For the search \`status:refunded\`. Only what was refunded has an entry.
CREATE INDEX order_list_refunded ON order_list (placed_at DESC, order_id DESC)
 WHERE refunded_minor > 0;
CREATE INDEX payment_list_refunded ON payment_list (requested_at DESC, payment_id DESC)
 WHERE refunded_minor > 0;
`;

/**
 * The tables and indexes of the search by parts of ids and references. The tables are filled from
 * the lists; the metadata of earlier orders can be searched after a rebuild of `order_list`, and
 * the last four digits of earlier payments after a rebuild of `payment_list`. The first worker of
 * the new release requests both rebuilds.
 */
export class Search1760000000760 implements MigrationInterface {
  readonly name = 'Search1760000000760';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE order_search, payment_search;
      DELETE FROM rebuildable_tables WHERE name IN ('order_search', 'payment_search');
      DROP INDEX merchant_list_by_part, payout_list_by_part, order_list_refunded,
                 payment_list_refunded, payment_list_by_last_four;
      DROP EXTENSION pg_trgm`);
  }
}
