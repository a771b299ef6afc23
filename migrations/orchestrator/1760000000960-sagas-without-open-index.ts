import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets PostgreSQL update a saga in place. No statement uses the index of open sagas any more, but
 * because it contained the time of the last update, each update of a saga wrote an entry into every
 * index of the table.
 */
export class SagasWithoutOpenIndex1760000000960 implements MigrationInterface {
  readonly name = 'SagasWithoutOpenIndex1760000000960';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX sagas_open');
    await runner.query('ALTER TABLE sagas SET (fillfactor = 80)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sagas RESET (fillfactor)');
    await runner.query('CREATE INDEX sagas_open ON sagas (saga, updated_at) WHERE NOT done');
  }
}
