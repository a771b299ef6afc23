import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
-- The second factors of console users. A row without set_up_at awaits the first code.
CREATE TABLE admin_second_factors (
  user_id         text         PRIMARY KEY REFERENCES admin_users,
  -- The secret of the authenticator app, encrypted.
  sealed          text,
  -- Wall time.
  set_up_at       timestamptz,
  -- The time step of the last accepted code: a code is accepted once.
  last_step       integer,
  -- A new secret, encrypted, whose first code is awaited.
  pending_sealed  text,
  CHECK ((sealed IS NULL) = (set_up_at IS NULL))
);

-- The unused recovery codes: a code is deleted when it is used.
CREATE TABLE admin_recovery_codes (
  user_id    text   NOT NULL REFERENCES admin_users,
  code_hash  bytea  NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

-- Wall time at which the session's user gave the second factor; null: not given.
ALTER TABLE admin_sessions ADD COLUMN second_factor_at timestamptz;
`;

/**
 * The second factors of console users. Earlier sessions, and those that the previous release begins
 * during the upgrade, count as sessions whose user has not given the second factor.
 */
export class SecondFactors1760000000780 implements MigrationInterface {
  readonly name = 'SecondFactors1760000000780';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE admin_sessions DROP COLUMN second_factor_at;
      DROP TABLE admin_recovery_codes, admin_second_factors`);
  }
}
