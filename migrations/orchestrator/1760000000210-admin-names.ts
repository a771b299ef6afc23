import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names of users stood in the audit, which nobody may change: an erased one would stay for ever. */
export class AdminNames1760000000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit DISABLE TRIGGER audit_is_append_only;
      UPDATE audit SET detail = detail - 'name' WHERE action = 'user.created' AND detail ? 'name';
      ALTER TABLE audit ENABLE TRIGGER audit_is_append_only;
    `);
  }

  /** The names are gone. */
  async down(): Promise<void> {}
}
