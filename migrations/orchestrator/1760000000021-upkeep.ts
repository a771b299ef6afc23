import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for claims of calls beside many that wait, and for the deletion of what is old. */
export class Upkeep1760000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One for each way in which a call may be taken up: none is found by passing over others.
      CREATE INDEX effects_ready ON effects (ordinal) WHERE state = 'ready';
      CREATE INDEX effects_waiting ON effects (due_at, ordinal) WHERE state = 'waiting';
      CREATE INDEX effects_calling ON effects (ordinal) WHERE state = 'calling';
      DROP INDEX IF EXISTS effects_open_in_order;

      CREATE INDEX effects_done_by_age ON effects (updated_at) WHERE state = 'done';
      CREATE INDEX webhooks_handled_by_age ON webhooks_received (handled_at)
       WHERE handled_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX webhooks_handled_by_age, effects_done_by_age, effects_calling, effects_waiting,
                 effects_ready;
      CREATE INDEX effects_open_in_order ON effects (ordinal) WHERE state <> 'done';
    `);
  }
}
