import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A webhook asks for a read of its intent; webhooks of one intent that wait are served by one read,
 * and one that comes while it is made has it made once more. Those of no intent are one job of their
 * account's. Whoever stores a webhook, or has it handled again, asks by that.
 */
export class IntentReads1760000000604 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION ask_for_intent_read() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO jobs AS j (kind, key, account_id, state, due_at, progress)
        VALUES ('intent.read', NEW.account_id || ' ' || coalesce(NEW.intent_id, ''), NEW.account_id,
                'ready', NEW.received_at,
                jsonb_build_object('intentId', coalesce(NEW.intent_id, '')))
            ON CONFLICT (kind, key) DO UPDATE
           SET again = j.state = 'running',
               -- One that a person has handled again does not wait for the next try.
               state = CASE WHEN TG_OP = 'UPDATE' AND j.state = 'waiting' THEN 'ready'
                            ELSE j.state END,
               -- A new one may tell that the provider is back: it does not wait for long, either.
               held_until = CASE WHEN j.state <> 'waiting' THEN j.held_until
                                 WHEN TG_OP = 'UPDATE' THEN NULL
                                 ELSE least(j.held_until, clock_timestamp() + interval '5 seconds')
                            END
         WHERE j.state IN ('running', 'waiting') OR TG_OP = 'UPDATE';
        RETURN NEW;
      END $$;

      -- First: what is stored while the others are copied asks by itself.
      CREATE TRIGGER ask_for_intent_read AFTER INSERT OR UPDATE OF handled_at ON webhooks_received
         FOR EACH ROW WHEN (NEW.handled_at IS NULL) EXECUTE FUNCTION ask_for_intent_read();

      INSERT INTO jobs (kind, key, account_id, state, due_at, progress)
      SELECT 'intent.read', account_id || ' ' || coalesce(intent_id, ''), account_id, 'ready',
             min(received_at), jsonb_build_object('intentId', coalesce(intent_id, ''))
        FROM webhooks_received WHERE handled_at IS NULL GROUP BY account_id, intent_id
          ON CONFLICT DO NOTHING;

      DROP INDEX webhooks_open;
      CREATE INDEX webhooks_open ON webhooks_received (account_id, (coalesce(intent_id, '')), id)
       WHERE handled_at IS NULL;
      ALTER TABLE webhooks_received DROP COLUMN claimed_until;
    `);
  }

  async down(): Promise<void> {
    await Promise.reject(new Error('the queues before cannot be brought back: restore'));
  }
}
