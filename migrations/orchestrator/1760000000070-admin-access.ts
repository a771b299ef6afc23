import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may use the console, their sessions, and what they did. */
export class AdminAccess1760000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- password_expires_at: of a one-time password, which must be changed at the first sign-in.
      CREATE TABLE admin_users (
        id                   text        PRIMARY KEY,
        name                 text        NOT NULL UNIQUE,
        role                 text        NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
        password_hash        text        NOT NULL,
        password_expires_at  timestamptz,
        created_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
        disabled_at          timestamptz
      );

      -- Wall time. A session ends at expires_at, and earlier when it is not used.
      CREATE TABLE admin_sessions (
        token_hash    bytea       PRIMARY KEY,
        user_id       text        NOT NULL REFERENCES admin_users,
        created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_seen_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at    timestamptz NOT NULL
      );
      CREATE INDEX admin_sessions_of ON admin_sessions (user_id);

      -- Sign-ins that were tried, by a hash of the account's name or of the address.
      CREATE TABLE admin_sign_in_tries (
        key_hash   bytea       PRIMARY KEY,
        tries      integer     NOT NULL,
        ends_at    timestamptz NOT NULL
      );

      -- Who did what to what, when and why. Kept for ever and never changed.
      CREATE TABLE audit (
        id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at            timestamptz NOT NULL DEFAULT clock_timestamp(),
        actor         text        NOT NULL,
        action        text        NOT NULL,
        subject_type  text,
        subject_id    text,
        reason        text,
        request_id    text        NOT NULL,
        detail        jsonb       NOT NULL DEFAULT '{}'
      );
      CREATE INDEX audit_newest ON audit (at DESC, id DESC);
      CREATE INDEX audit_of_subject ON audit (subject_type, subject_id, at DESC, id DESC);
      CREATE INDEX audit_of_actor ON audit (actor, at DESC, id DESC);
      CREATE INDEX audit_of_action ON audit (action, at DESC, id DESC);

      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the audit is only added to';
      END
      $$;
      CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit, admin_sign_in_tries, admin_sessions, admin_users;
      DROP FUNCTION refuse_audit_change;
    `);
  }
}
