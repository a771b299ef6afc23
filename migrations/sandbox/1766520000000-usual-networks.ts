import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the network that a card has without a preferred network. That of a stored card is unknown,
 * because its number is not stored; the migration assumes the network that its payments use.
 */
export class UsualNetworks1766520000000 implements MigrationInterface {
  readonly name = 'UsualNetworks1766520000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE cards ADD COLUMN IF NOT EXISTS usual_network text;
      UPDATE cards SET usual_network = network WHERE usual_network IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE cards DROP COLUMN usual_network');
  }
}
