import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the accounts of a mode, and whether a merchant is live, without reading all accounts and
 * merchants: the lists of the console need both for each page.
 */
export class Modes1760000000980 implements MigrationInterface {
  readonly name = 'Modes1760000000980';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX provider_accounts_of_mode ON provider_accounts (mode, id)');
    await runner.query(
      `CREATE INDEX merchant_list_live ON merchant_list (mode) WHERE mode = 'live'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX merchant_list_live');
    await runner.query('DROP INDEX provider_accounts_of_mode');
  }
}
