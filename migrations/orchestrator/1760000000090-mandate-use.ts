import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Projection of the payments that may be direct debits: which mandate each has debited, so that a
 * platform finds the mandates that it may use again. Rebuilt from the log at will.
 */
export class MandateUse1760000000090 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mandate_use (
        payment_id   text         PRIMARY KEY,
        order_id     text         NOT NULL,
        platform_id  text         NOT NULL,
        account_id   text         NOT NULL,
        mandate_id   text,
        debited_at   timestamptz,
        version      integer      NOT NULL
      );
      CREATE INDEX mandate_use_by_mandate
          ON mandate_use (platform_id, mandate_id, debited_at) WHERE mandate_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mandate_use');
  }
}
