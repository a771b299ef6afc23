import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files of lists that the console's processes make in the background. */
export class Exports1760000000930 implements MigrationInterface {
  readonly name = 'Exports1760000000930';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE admin_exports (
  id           text        PRIMARY KEY,
  list         text        NOT NULL,
  -- The filters and the sort order of the list.
  query        jsonb       NOT NULL,
  owner_id     text        NOT NULL REFERENCES admin_users,
  state        text        NOT NULL DEFAULT 'running'
                           CHECK (state IN ('running', 'ready', 'failed')),
  failure      text        CHECK ((failure IS NOT NULL) = (state = 'failed')),
  -- What has been written so far; the next page begins at the cursor.
  row_count    integer     NOT NULL DEFAULT 0,
  bytes        bigint      NOT NULL DEFAULT 0,
  chunks       integer     NOT NULL DEFAULT 0,
  next_cursor  text,
  -- The process that writes the file; when the time has passed, another process continues.
  claim        uuid,
  held_until   timestamptz,
  -- How often the file was claimed since its last chunk was written.
  attempts     integer     NOT NULL DEFAULT 0,
  -- Wall time.
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at   timestamptz NOT NULL DEFAULT clock_timestamp() + interval '7 days'
);
CREATE INDEX admin_exports_of_owner ON admin_exports (owner_id);
CREATE TABLE admin_export_chunks (
  export_id text    NOT NULL REFERENCES admin_exports ON DELETE CASCADE,
  number    integer NOT NULL,
  text      text    NOT NULL,
  PRIMARY KEY (export_id, number)
)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE admin_export_chunks; DROP TABLE admin_exports');
  }
}
