import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
-- With which account at the identity provider a console user signs in. A row without a subject
-- awaits the first sign-in with the verified email address.
CREATE TABLE admin_identities (
  user_id        text         PRIMARY KEY REFERENCES admin_users,
  -- In lower case; deleted when the account is known.
  email          text         UNIQUE,
  issuer         text,
  subject        text,
  -- The id of the user who registered the email address.
  registered_by  text         NOT NULL,
  -- Wall time.
  registered_at  timestamptz  NOT NULL DEFAULT clock_timestamp(),
  linked_at      timestamptz,
  UNIQUE (issuer, subject),
  CHECK ((email IS NULL) = (subject IS NOT NULL)),
  CHECK ((issuer IS NULL) = (subject IS NULL) AND (linked_at IS NULL) = (subject IS NULL))
);

-- How the session began: a password that must be changed concerns only sessions begun with it.
ALTER TABLE admin_sessions ADD COLUMN begun_with text NOT NULL DEFAULT 'password'
  CHECK (begun_with IN ('password', 'identity_provider'));
`;

/**
 * The sign-in of console users by an identity provider. Sessions of the previous release began with
 * a password.
 */
export class Identities1760000000850 implements MigrationInterface {
  readonly name = 'Identities1760000000850';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE admin_sessions DROP COLUMN begun_with;
      DROP TABLE admin_identities`);
  }
}
