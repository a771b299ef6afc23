import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whose key a read of a payment is made with: a key whose budget is spent is passed over, and its
 * backlog does not stand before other keys' reads. It follows from the payment's first event. May run
 * on a database that had it under the number 110.
 */
export class DeadlineAccounts1760000000150 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deadlines ADD COLUMN IF NOT EXISTS account_id text;

      UPDATE deadlines d SET account_id = e.data ->> 'accountId'
        FROM events e
       WHERE d.kind = 'payment.read' AND e.stream_type = 'payment' AND e.stream_id = d.key
         AND e.version = 1;

      CREATE OR REPLACE FUNCTION account_of_read() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.account_id := (SELECT e.data ->> 'accountId' FROM events e
                            WHERE e.stream_type = 'payment' AND e.stream_id = NEW.key
                              AND e.version = 1);
        RETURN NEW;
      END $$;

      CREATE OR REPLACE TRIGGER account_of_read BEFORE INSERT ON deadlines
         FOR EACH ROW WHEN (NEW.kind = 'payment.read') EXECUTE FUNCTION account_of_read();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER account_of_read ON deadlines;
      DROP FUNCTION account_of_read;
      ALTER TABLE deadlines DROP COLUMN account_id;
    `);
  }
}
