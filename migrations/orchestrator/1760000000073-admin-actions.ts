import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people ask to be put right, who approved it, and what came of it. */
export class AdminActions1760000000073 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- pending: waits for a second person. executing: begun; after a crash it is carried out again,
      -- which does nothing twice. Wall time.
      CREATE TABLE admin_actions (
        id            text        PRIMARY KEY,
        kind          text        NOT NULL,
        target        jsonb       NOT NULL,
        subject_type  text        NOT NULL,
        subject_id    text        NOT NULL,
        reason        text        NOT NULL,
        status        text        NOT NULL
                      CHECK (status IN ('pending', 'executing', 'done', 'failed', 'rejected')),
        requested_by  text        NOT NULL REFERENCES admin_users,
        requested_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at    timestamptz NOT NULL,
        decided_by    text        REFERENCES admin_users,
        decided_at    timestamptz,
        claimed_at    timestamptz,
        ended_at      timestamptz,
        outcome       jsonb,
        CONSTRAINT nobody_approves_their_own CHECK (
          status = 'rejected' OR decided_by IS NULL OR decided_by <> requested_by)
      );
      CREATE INDEX admin_actions_newest ON admin_actions (requested_at DESC, id DESC);
      CREATE INDEX admin_actions_open ON admin_actions (status, requested_at DESC, id DESC)
       WHERE status IN ('pending', 'executing');

      -- A worker rebuilds what is asked for here, and tells how far it is.
      CREATE TABLE projection_rebuilds (
        id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        projection    text        NOT NULL,
        requested_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
        started_at    timestamptz,
        events        bigint      NOT NULL DEFAULT 0,
        ended_at      timestamptz,
        failure       text
      );
      CREATE UNIQUE INDEX projection_rebuilds_open ON projection_rebuilds (projection)
       WHERE ended_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE projection_rebuilds, admin_actions');
  }
}
