import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An intent of the provider's is one payment's alone: its id is reserved with the event that tells
 * of it. A process of the release before, which may run beside this one, reserves nothing: for its
 * events the log does. Of two that have one intent the first keeps it.
 */
export class IntentsAreOnePayments1760000000350 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION reserve_intent() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO reservations (scope, key, holder)
        VALUES ('payment.intent', NEW.data ->> 'intentId', NEW.stream_id)
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END
      $$;
      -- At the end of the transaction: what the process reserves itself is there by then.
      CREATE CONSTRAINT TRIGGER reserve_intent AFTER INSERT ON events
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (NEW.stream_type = 'payment' AND NEW.type = 'IntentCreated')
        EXECUTE FUNCTION reserve_intent();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER reserve_intent ON events; DROP FUNCTION reserve_intent');
  }
}
