import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments for lists and search, and what the console asks of merchants, calls and webhooks. */
export class AdminPayments1760000000072 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A projection of the payment streams, rebuilt from the log at will. provider_ids: those of
      -- its attempts, refunds and disputes. unknown: calls whose outcome is not known.
      CREATE TABLE payment_list (
        payment_id      text        PRIMARY KEY,
        order_id        text        NOT NULL,
        platform_id     text        NOT NULL,
        account_id      text        NOT NULL,
        amount_minor    bigint      NOT NULL,
        currency        text        NOT NULL,
        status          text        NOT NULL,
        intent_id       text,
        provider_ids    text[]      NOT NULL,
        unknown         text[]      NOT NULL,
        refunded_minor  bigint      NOT NULL,
        disputed        boolean     NOT NULL,
        mismatched      boolean     NOT NULL,
        requested_at    timestamptz NOT NULL,
        version         integer     NOT NULL
      );
      CREATE INDEX payment_list_newest ON payment_list (requested_at DESC, payment_id DESC);
      CREATE INDEX payment_list_by_status
          ON payment_list (status, requested_at DESC, payment_id DESC);
      CREATE INDEX payment_list_of_platform
          ON payment_list (platform_id, requested_at DESC, payment_id DESC);
      CREATE INDEX payment_list_of_account
          ON payment_list (account_id, requested_at DESC, payment_id DESC);
      CREATE INDEX payment_list_of_order ON payment_list (order_id);
      CREATE INDEX payment_list_of_intent ON payment_list (intent_id);
      CREATE INDEX payment_list_by_provider_id ON payment_list USING gin (provider_ids);
      CREATE INDEX payment_list_unknown
          ON payment_list (requested_at DESC, payment_id DESC) WHERE unknown <> '{}';
      CREATE INDEX payment_list_disputed
          ON payment_list (requested_at DESC, payment_id DESC) WHERE disputed;
      CREATE INDEX payment_list_mismatched
          ON payment_list (requested_at DESC, payment_id DESC) WHERE mismatched;

      CREATE INDEX merchant_list_all_newest ON merchant_list (drafted_at DESC, merchant_id DESC);
      CREATE INDEX merchant_list_all_by_status
          ON merchant_list (status, drafted_at DESC, merchant_id DESC);
      CREATE INDEX merchant_list_of_company ON merchant_list (company_id);
      CREATE INDEX merchant_list_all_by_reference ON merchant_list (reference);

      CREATE INDEX payout_list_all_newest ON payout_list (date DESC, payout_id DESC);
      CREATE INDEX payout_list_by_reference ON payout_list (reference);
      CREATE INDEX reconciliation_exceptions_all_newest
          ON reconciliation_exceptions (found_at DESC, exception_id DESC);
      CREATE INDEX reconciliation_exceptions_all_open
          ON reconciliation_exceptions (since) WHERE closed_at IS NULL;

      CREATE INDEX effects_stuck ON effects (updated_at, ordinal) WHERE state = 'stuck';

      -- What a webhook is about, as its body says; and those that were not accepted, with why:
      -- bounded by count and age, their bodies are not kept.
      ALTER TABLE webhooks_received ADD COLUMN intent_id text;
      CREATE INDEX webhooks_received_of_intent ON webhooks_received (intent_id, id);
      CREATE INDEX webhooks_received_newest ON webhooks_received (received_at DESC, id DESC);
      CREATE TABLE webhooks_refused (
        id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        received_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
        account_id   text,
        reason       text        NOT NULL,
        body_bytes   integer     NOT NULL,
        body_sha256  bytea       NOT NULL
      );
      CREATE INDEX webhooks_refused_newest ON webhooks_refused (received_at DESC, id DESC);

      -- What was asked of the provider and what it answered, redacted; kept for some days.
      -- reference: our own id, where the provider carries it.
      CREATE TABLE provider_calls (
        id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at           timestamptz NOT NULL,
        method       text        NOT NULL,
        path         text        NOT NULL,
        object_id    text,
        reference    text,
        request      json,
        status       smallint,
        answer       json,
        failure      text,
        duration_ms  integer     NOT NULL
      );
      CREATE INDEX provider_calls_by_age ON provider_calls (at);
      CREATE INDEX provider_calls_of_object ON provider_calls (object_id, at DESC);
      CREATE INDEX provider_calls_of_reference ON provider_calls (reference, at DESC);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE provider_calls, webhooks_refused;
      DROP INDEX webhooks_received_newest;
      ALTER TABLE webhooks_received DROP COLUMN intent_id;
      DROP INDEX effects_stuck, reconciliation_exceptions_all_open,
                 reconciliation_exceptions_all_newest, payout_list_by_reference,
                 payout_list_all_newest, merchant_list_all_by_reference, merchant_list_of_company,
                 merchant_list_all_by_status, merchant_list_all_newest;
      DROP TABLE payment_list;
    `);
  }
}
