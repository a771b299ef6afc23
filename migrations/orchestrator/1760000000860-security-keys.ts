import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
-- The security keys (WebAuthn) of console users, each a second factor.
CREATE TABLE admin_security_keys (
  -- The id that the key gave itself, in base64url.
  id            text         PRIMARY KEY,
  user_id       text         NOT NULL REFERENCES admin_users,
  name          text         NOT NULL,
  public_key    bytea        NOT NULL,
  -- The number of signatures, if the key counts them: a lower number reveals a copied key.
  counter       bigint       NOT NULL,
  transports    text[]       NOT NULL,
  -- Wall time.
  created_at    timestamptz  NOT NULL DEFAULT now(),
  last_used_at  timestamptz
);
CREATE INDEX admin_security_keys_of ON admin_security_keys (user_id, created_at);

-- The challenge that the session's user must sign with a key; it is deleted when it is used.
ALTER TABLE admin_sessions ADD COLUMN key_challenge text;
ALTER TABLE admin_sessions ADD COLUMN key_challenge_ends_at timestamptz;
`;

/** Security keys as second factors of console users. */
export class SecurityKeys1760000000860 implements MigrationInterface {
  readonly name = 'SecurityKeys1760000000860';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE admin_sessions DROP COLUMN key_challenge, DROP COLUMN key_challenge_ends_at;
      DROP TABLE admin_security_keys`);
  }
}
