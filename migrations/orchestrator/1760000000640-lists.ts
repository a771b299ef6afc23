import type { MigrationInterface, QueryRunner } from 'typeorm';

const IDS = { order_list: 'order_id', payment_list: 'payment_id', payout_list: 'payout_id' } as const;

/** For a platform, which sees its own, and for the console, which sees all. */
const ofAll = Object.entries(IDS).map(([table, id]) => `
  ALTER TABLE ${table} ADD COLUMN updated_at timestamptz NOT NULL DEFAULT 'epoch';
  CREATE INDEX ${table}_updated ON ${table} (platform_id, updated_at DESC, ${id} DESC);
  CREATE INDEX ${table}_all_updated ON ${table} (updated_at DESC, ${id} DESC);
  CREATE INDEX ${table}_amounts ON ${table} (platform_id, currency, amount_minor DESC, ${id} DESC);
  CREATE INDEX ${table}_all_amounts ON ${table} (currency, amount_minor DESC, ${id} DESC);

  -- When each was changed, and by which method it is paid, is in the log.
  INSERT INTO projection_rebuilds (projection)
  SELECT '${table}' WHERE EXISTS (SELECT FROM ${table})
  ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;`).join('\n');

const ofPlatforms = (table: string, id: string): string => `
  CREATE INDEX ${table}_newest ON ${table} (platform_id, created_at DESC, ${id} DESC);
  CREATE INDEX ${table}_updated ON ${table} (platform_id, updated_at DESC, ${id} DESC);
  CREATE INDEX ${table}_amounts ON ${table} (platform_id, currency, amount_minor DESC, ${id} DESC);
  CREATE INDEX ${table}_of_payment ON ${table} (payment_id);
  INSERT INTO rebuildable_tables VALUES ('${table}');`;

/** Lists of refunds and disputes, and by what people look for in all lists: an index has each order. */
export class Lists1760000000640 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE order_list ADD COLUMN account_id text NOT NULL DEFAULT '',
                             ADD COLUMN methods text[] NOT NULL DEFAULT '{}';
      -- A reference is a few platforms' at most: the console's index of it serves them, too.
      -- A table that was rebuilt since has it by another name.
      DROP INDEX IF EXISTS order_list_by_reference;
      CREATE INDEX order_list_of_account ON order_list (account_id, placed_at DESC, order_id DESC);

      -- refunds, disputes: as the payment has them; refund_list and dispute_list follow from these.
      ALTER TABLE payment_list ADD COLUMN method text,
                               ADD COLUMN refunds jsonb NOT NULL DEFAULT '[]',
                               ADD COLUMN disputes jsonb NOT NULL DEFAULT '[]';
      CREATE TABLE refund_list (
        refund_id           text        PRIMARY KEY,
        payment_id          text        NOT NULL,
        order_id            text        NOT NULL,
        platform_id         text        NOT NULL,
        account_id          text        NOT NULL,
        currency            text        NOT NULL,
        method              text,
        amount_minor        bigint      NOT NULL,
        status              text        NOT NULL,
        provider_refund_id  text,
        requested           boolean     NOT NULL,
        reference           text,
        reason              text,
        rejection_reason    text,
        created_at          timestamptz NOT NULL,
        updated_at          timestamptz NOT NULL,
        version             integer     NOT NULL
      );
      CREATE TABLE dispute_list (
        dispute_id      text        PRIMARY KEY,
        payment_id      text        NOT NULL,
        order_id        text        NOT NULL,
        platform_id     text        NOT NULL,
        account_id      text        NOT NULL,
        currency        text        NOT NULL,
        method          text,
        amount_minor    bigint      NOT NULL,
        kind            text        NOT NULL,
        status          text        NOT NULL,
        response        text        NOT NULL,
        payer_response  text        NOT NULL,
        created_at      timestamptz NOT NULL,
        updated_at      timestamptz NOT NULL,
        version         integer     NOT NULL
      );
      ${ofPlatforms('refund_list', 'refund_id')}
      ${ofPlatforms('dispute_list', 'dispute_id')}

      CREATE INDEX mandate_use_debited
          ON mandate_use (platform_id, debited_at DESC, payment_id DESC) WHERE mandate_id IS NOT NULL;
      ${ofAll}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM rebuildable_tables WHERE name IN ('refund_list', 'dispute_list');
      DROP TABLE refund_list, dispute_list;
      DROP INDEX IF EXISTS mandate_use_debited, order_list_amounts, order_list_all_amounts,
        payment_list_amounts, payment_list_all_amounts, payout_list_amounts, payout_list_all_amounts;
      ALTER TABLE order_list DROP COLUMN updated_at, DROP COLUMN account_id, DROP COLUMN methods;
      ALTER TABLE payment_list DROP COLUMN updated_at, DROP COLUMN method, DROP COLUMN refunds,
        DROP COLUMN disputes;
      ALTER TABLE payout_list DROP COLUMN updated_at;
      CREATE INDEX order_list_by_reference ON order_list (platform_id, reference);
    `);
  }
}
