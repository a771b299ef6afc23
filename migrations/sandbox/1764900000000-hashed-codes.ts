import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of a code that signs a mandate only a keyed hash rests, and its message is erased when it ends.
 * SQL has no key to hash with, which may be sealed: so codes that are open now are over.
 */
export class HashedCodes1764900000000 implements MigrationInterface {
  readonly name = 'HashedCodes1764900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE signing_codes
        DROP COLUMN code,
        ADD COLUMN code_hash text CHECK (code_hash ~ '^[0-9a-f]{64}$'),
        ADD COLUMN due_at timestamptz,
        DROP CONSTRAINT signing_codes_status_check,
        ADD CONSTRAINT signing_codes_status_check CHECK (status IN (
          'open', 'used', 'spent', 'replaced', 'expired'));
      UPDATE signing_codes SET status = 'expired' WHERE status = 'open';
      ALTER TABLE signing_codes
        ADD CHECK ((status = 'open') = (due_at IS NOT NULL)),
        ADD CHECK (status <> 'open' OR code_hash IS NOT NULL);
      CREATE INDEX signing_codes_due ON signing_codes (due_at) WHERE due_at IS NOT NULL;
      ALTER TABLE messages ALTER COLUMN body DROP NOT NULL;
      UPDATE messages SET body = NULL;
    `);
  }

  /** What was erased stays so. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE messages SET body = '' WHERE body IS NULL;
      ALTER TABLE messages ALTER COLUMN body SET NOT NULL;
      UPDATE signing_codes SET status = 'replaced' WHERE status IN ('open', 'expired');
      ALTER TABLE signing_codes
        DROP COLUMN due_at,
        DROP COLUMN code_hash,
        ADD COLUMN code text NOT NULL DEFAULT '0000' CHECK (code ~ '^[0-9]{4}$'),
        DROP CONSTRAINT signing_codes_status_check,
        ADD CONSTRAINT signing_codes_status_check CHECK (status IN (
          'open', 'used', 'spent', 'replaced'));
      ALTER TABLE signing_codes ALTER COLUMN code DROP DEFAULT;
    `);
  }
}
