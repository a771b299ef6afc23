import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deletes the deadlines at which checkouts read their payments: payments have their own schedule. */
export class NoOverdueCheckouts1760000000730 implements MigrationInterface {
  readonly name = 'NoOverdueCheckouts1760000000730';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM jobs WHERE kind = 'checkout.overdue'`);
  }

  /** Does nothing: the previous release sets the deadline again at the next event of an order. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
