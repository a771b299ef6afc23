import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The cases about which a notice was sent, and the notices that are still to be sent. */
export class CaseNotices1760000000910 implements MigrationInterface {
  readonly name = 'CaseNotices1760000000910';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- The facts about which a notice was sent, one row for each occasion. id: the case, or for approvals
-- the action. cause: facts with the same cause share a notice. closed_at: when the case was found
-- closed; null: open. Wall time.
CREATE TABLE case_notices (
  id        text         NOT NULL,
  occasion  text         NOT NULL CHECK (occasion IN ('opened', 'deadline', 'approval')),
  cause     text         NOT NULL,
  at        timestamptz  NOT NULL DEFAULT clock_timestamp(),
  closed_at timestamptz,
  PRIMARY KEY (id, occasion)
);
CREATE INDEX case_notices_of_cause ON case_notices (cause, occasion, at DESC);

-- The notices that were not accepted by their receiver yet. due_at: when the next attempt begins;
-- while an attempt is made, when another process may repeat it. Wall time.
CREATE TABLE notice_messages (
  id       bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel  text         NOT NULL CHECK (channel IN ('webhook', 'email')),
  notice   jsonb        NOT NULL,
  at       timestamptz  NOT NULL DEFAULT clock_timestamp(),
  due_at   timestamptz  NOT NULL DEFAULT clock_timestamp(),
  attempts int          NOT NULL DEFAULT 0
);
CREATE INDEX notice_messages_due ON notice_messages (channel, due_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notice_messages, case_notices');
  }
}
