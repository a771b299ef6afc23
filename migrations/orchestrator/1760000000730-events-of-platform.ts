import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index with which the events of a platform are read in the order of the log. Creating it locks
 * a long log against writes; an operator can create it without this lock before the migration.
 * @see docs/runbook.md#the-index-of-a-platforms-events
 */
export class EventsOfPlatform1760000000730 implements MigrationInterface {
  readonly name = 'EventsOfPlatform1760000000730';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX IF NOT EXISTS events_of_platform
          ON events ((metadata ->> 'platformId'), epoch, transaction_id, position)
       WHERE metadata ->> 'platformId' IS NOT NULL`);
    const rows = (await runner.query(
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'events_of_platform'::regclass`,
    )) as readonly { readonly valid: boolean }[];
    if (rows[0]?.valid === true) return;
    throw new Error(
      'the index events_of_platform is incomplete, because CREATE INDEX CONCURRENTLY failed: drop ' +
        'the index, then migrate again',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_of_platform');
  }
}
