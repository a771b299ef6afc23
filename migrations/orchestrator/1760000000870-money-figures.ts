import type { MigrationInterface, QueryRunner } from 'typeorm';

const PAYMENTS = `
CREATE INDEX payment_list_authorized ON payment_list (authorized_at DESC)
  INCLUDE (currency, account_id, platform_id, amount_minor, captured_minor, accepted_minor)
 WHERE authorized_at IS NOT NULL;
CREATE INDEX payment_list_declined ON payment_list (declined_at DESC)
  INCLUDE (currency, account_id, platform_id, decline_code, authorized_at)
 WHERE declined_at IS NOT NULL;
CREATE INDEX payment_list_by_decline_code
    ON payment_list (coalesce(decline_code, 'none'), requested_at DESC, payment_id DESC)
 WHERE declined_at IS NOT NULL;
CREATE INDEX payment_list_expiring ON payment_list (expires_at)
  INCLUDE (currency, account_id, platform_id, amount_minor) WHERE status = 'authorized';
`;

/**
 * The indexes from which the console's money page computes its figures about payments. While an
 * index is created, the list of payments can be read but not written, so its projection waits.
 */
export class MoneyFigures1760000000870 implements MigrationInterface {
  readonly name = 'MoneyFigures1760000000870';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PAYMENTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payment_list_authorized, payment_list_declined, payment_list_by_decline_code,
                 payment_list_expiring`);
  }
}
