import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An ending says itself whether the service began it; signing counts what a new code forgave. */
export class OnboardingEndings1764700000000 implements MigrationInterface {
  readonly name = 'OnboardingEndings1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE onboarding_companies
        ADD COLUMN ended_by_service boolean NOT NULL DEFAULT false,
        -- Of the file that the code was sent for.
        ADD COLUMN code_version integer,
        -- Wrong codes since the first of the day, whichever code they were tried against.
        ADD COLUMN wrong_codes integer NOT NULL DEFAULT 0,
        ADD COLUMN wrong_codes_since timestamptz;
      UPDATE onboarding_companies c SET ended_by_service = true
        WHERE status IN ('pendingDeactivation', 'deactivate') AND (
          SELECT terminated_by_service FROM onboarding_status_changes h
          WHERE h.company_id = c.id ORDER BY h.seq DESC LIMIT 1);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE onboarding_companies DROP COLUMN ended_by_service, DROP COLUMN code_version,
        DROP COLUMN wrong_codes, DROP COLUMN wrong_codes_since;
    `);
  }
}
