import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of a code nothing rests once it has ended, in whatever way; and a mandate's deletion ends its
 * code. The codes of contracts end as those of mandates do: their messages say until when they can
 * be read.
 */
export class EndedCodes1765100000000 implements MigrationInterface {
  readonly name = 'EndedCodes1765100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MANDATES);
    await runner.query(CONTRACTS);
  }

  /** What was erased stays so. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE signing_codes SET status = 'replaced' WHERE status = 'withdrawn';
      ALTER TABLE signing_codes
        DROP CONSTRAINT signing_codes_hash_while_open,
        ADD CONSTRAINT signing_codes_check1 CHECK (status <> 'open' OR code_hash IS NOT NULL),
        DROP CONSTRAINT signing_codes_status_check,
        ADD CONSTRAINT signing_codes_status_check CHECK (status IN (
          'open', 'used', 'spent', 'replaced', 'expired'));
      UPDATE onboarding_companies SET code_hash = NULL, code_expires_at = NULL;
      UPDATE onboarding_messages SET body = '' WHERE body IS NULL;
      ALTER TABLE onboarding_messages DROP COLUMN due_at, ALTER COLUMN body SET NOT NULL;
    `);
  }
}

const MANDATES = `
ALTER TABLE signing_codes
  DROP CONSTRAINT signing_codes_status_check,
  ADD CONSTRAINT signing_codes_status_check CHECK (status IN (
    'open', 'used', 'spent', 'replaced', 'withdrawn', 'expired'));
WITH gone AS (
  UPDATE signing_codes c SET status = 'withdrawn', due_at = NULL
  FROM mandates m
  WHERE m.id = c.mandate_id AND m.status = 'deleted' AND c.status = 'open'
  RETURNING c.message_id
)
UPDATE messages SET body = NULL FROM gone WHERE messages.id = gone.message_id;
UPDATE signing_codes SET code_hash = NULL WHERE status <> 'open';
ALTER TABLE signing_codes
  DROP CONSTRAINT signing_codes_check1,
  ADD CONSTRAINT signing_codes_hash_while_open
    CHECK ((status = 'open') = (code_hash IS NOT NULL));
`;

/** Hashes without a key can be tried out: what is open now is over, and a new code is sent. */
const CONTRACTS = `
ALTER TABLE onboarding_messages
  ALTER COLUMN body DROP NOT NULL,
  -- While its code is open: when that expires.
  ADD COLUMN due_at timestamptz;
UPDATE onboarding_messages SET body = NULL;
ALTER TABLE onboarding_messages
  ADD CONSTRAINT onboarding_messages_body_while_open CHECK ((body IS NULL) = (due_at IS NULL));
CREATE INDEX onboarding_messages_due ON onboarding_messages (due_at) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX onboarding_messages_open ON onboarding_messages (company_id)
  WHERE due_at IS NOT NULL;
UPDATE onboarding_companies SET code_hash = NULL WHERE code_hash IS NOT NULL;
`;
