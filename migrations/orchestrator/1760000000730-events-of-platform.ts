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
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_of_platform');
  }
}
