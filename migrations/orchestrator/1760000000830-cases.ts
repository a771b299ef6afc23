import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = `
-- What people add to a case: its owner, comments, and until when it is snoozed. Rows are only added;
-- the newest row of a kind is in force. case_id: the kind of the case and what it is about, which
-- stay the same. owner_id: null if the case was released. until: null if the case was woken. state:
-- of a snooze, the part and the target of the case that was snoozed. Wall time.
CREATE TABLE case_notes (
  id            bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  case_id       text         NOT NULL,
  subject_type  text         NOT NULL,
  subject_id    text         NOT NULL,
  at            timestamptz  NOT NULL DEFAULT clock_timestamp(),
  author_id     text         NOT NULL REFERENCES admin_users,
  kind          text         NOT NULL CHECK (kind IN ('owner', 'comment', 'snooze')),
  owner_id      text         REFERENCES admin_users,
  until         timestamptz,
  state         text,
  text          text         NOT NULL DEFAULT ''
);
CREATE INDEX case_notes_of_case ON case_notes (case_id, kind, id DESC);
CREATE INDEX case_notes_of_subject ON case_notes (subject_id, id DESC);
`;

const INDEXES = `
CREATE INDEX payment_list_owed_refunds
    ON payment_list (requested_at DESC, payment_id DESC) WHERE owed_refunds <> '[]';
CREATE INDEX payment_list_lapsing
    ON payment_list (lapses_at, payment_id) WHERE status = 'authorized' AND lapses_at IS NOT NULL;
`;

/**
 * The table of the owners, comments and snoozes that users add to cases, and the indexes by which
 * cases of payments are found.
 */
export class Cases1760000000830 implements MigrationInterface {
  readonly name = 'Cases1760000000830';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE case_notes;
      DROP INDEX payment_list_owed_refunds, payment_list_lapsing`);
  }
}
