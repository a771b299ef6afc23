import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Identifies a card by its number and its present expiry date, which a renewal changes. The number
 * is not stored, so a card of an earlier release keeps its hash of number and first expiry date,
 * and is not recognised when it is entered again.
 */
export class CardNumbers1766500000000 implements MigrationInterface {
  readonly name = 'CardNumbers1766500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE cards DROP CONSTRAINT cards_same_card, ADD CONSTRAINT cards_same_card
        UNIQUE NULLS NOT DISTINCT (account_id, live, fingerprint, exp_year, exp_month, deleted_at);
    `);
  }

  /** No card is recognised afterwards: the former hashes are not known. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE cards SET fingerprint = fingerprint || id;
      ALTER TABLE cards DROP CONSTRAINT cards_same_card,
        ADD CONSTRAINT cards_same_card UNIQUE (account_id, live, fingerprint);
    `);
  }
}
