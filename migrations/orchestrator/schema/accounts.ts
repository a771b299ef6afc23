const ACCOUNT_STATUSES = `
-- The status of each account at a time; orders_from: of the last time that it was approved.
CREATE FUNCTION account_statuses(at timestamptz)
RETURNS TABLE (account_id text, status text, orders_from timestamptz) LANGUAGE sql STABLE AS $$
  SELECT a.id,
         CASE WHEN a.disabled_at IS NOT NULL THEN 'disabled'
              WHEN f.orders_from IS NULL THEN 'awaiting_approval'
              WHEN c.account_id = a.id AND f.orders_from <= greatest(at, c.orders_from)
              THEN 'taking_orders'
              WHEN f.orders_from > at THEN 'scheduled'
              ELSE 'replaced' END,
         f.orders_from
    FROM provider_accounts a
         LEFT JOIN LATERAL current_account(a.platform_id, a.merchant_id, a.mode, at) c ON true
         LEFT JOIN LATERAL (SELECT max(s.orders_from) AS orders_from FROM account_schedule s
                             WHERE s.account_id = a.id AND s.taking_orders) f ON true
$$;
`;

const RECORD_ACCOUNT_EVENT = `
-- In the transaction that writes an event of an account: the audit, and from when on orders use it.
-- A disabled account is used by no order from then on; one that was in force leaves the merchant
-- without, as no other may take its place unasked.
CREATE FUNCTION record_account_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  account provider_accounts;
  event_at timestamptz := NEW.data ->> 'at';
  orders_from timestamptz := NEW.data ->> 'ordersFrom';
  in_force account_schedule;
BEGIN
  SELECT * INTO STRICT account FROM provider_accounts WHERE id = NEW.stream_id;
  IF orders_from IS NOT NULL THEN
    INSERT INTO account_schedule (platform_id, merchant_id, mode, orders_from, account_id,
                                  taking_orders)
    VALUES (account.platform_id, account.merchant_id, account.mode, orders_from, account.id, true);
    UPDATE provider_accounts SET disabled_at = NULL WHERE id = account.id;
  ELSIF NEW.type = 'ProviderAccountDisabled' THEN
    in_force := current_account(account.platform_id, account.merchant_id, account.mode, event_at);
    DELETE FROM account_schedule s WHERE s.account_id = account.id AND s.orders_from > event_at;
    IF in_force.account_id = account.id AND in_force.taking_orders THEN
      INSERT INTO account_schedule (platform_id, merchant_id, mode, orders_from, account_id,
                                    taking_orders)
      VALUES (account.platform_id, account.merchant_id, account.mode, event_at, account.id, false);
    END IF;
    UPDATE provider_accounts SET disabled_at = event_at WHERE id = account.id;
  END IF;
  INSERT INTO audit (actor, action, subject_type, subject_id, request_id, detail)
  VALUES (NEW.metadata ->> 'actor',
          CASE NEW.type
            WHEN 'ProviderAccountRegistered' THEN
              CASE WHEN orders_from IS NULL THEN 'account.awaiting_approval' ELSE 'account.registered' END
            WHEN 'ProviderAccountApproved' THEN 'account.approved'
            WHEN 'ProviderAccountKeyRotated' THEN 'account.key_rotated'
            WHEN 'ProviderAccountDisabled' THEN 'account.disabled'
          END,
          'account', account.id, NEW.metadata ->> 'causationId',
          NEW.data::jsonb || jsonb_build_object('platformId', account.platform_id,
            'merchantId', account.merchant_id, 'mode', account.mode));
  RETURN NULL;
END
$$;
CREATE TRIGGER events_of_accounts AFTER INSERT ON events FOR EACH ROW
  WHEN (NEW.stream_type = 'account') EXECUTE FUNCTION record_account_event();
`;

/**
 * Accounts at the provider: which account the orders of a merchant use, and what is read for each
 * account.
 */
export const ACCOUNTS = `
-- Sealed columns are AES-256-GCM under the key of the environment that they name. A merchant may
-- have several, one after another. api_key_digest: SHA-256 of the key, which is one account's
-- alone: what it reads is one platform's. provider: the name of its adapter.
CREATE TABLE provider_accounts (
  id                     text        PRIMARY KEY,
  platform_id            text        NOT NULL,
  merchant_id            text        NOT NULL,
  mode                   text        NOT NULL CHECK (mode IN ('test', 'live')),
  api_key_sealed         bytea       NOT NULL,
  webhook_endpoint_id    text,
  webhook_secret_sealed  bytea,
  created_at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  api_key_digest         bytea       CONSTRAINT provider_accounts_of_key UNIQUE,
  disabled_at            timestamptz,
  provider               text        NOT NULL DEFAULT 'hosted'
);
CREATE INDEX provider_accounts_of_merchant ON provider_accounts (platform_id, merchant_id, mode);

-- Which account a merchant's orders use from when on (business time), the last one that has
-- begun; not taking_orders: none. Written from the events of accounts, in their transaction.
CREATE TABLE account_schedule (
  id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  platform_id    text        NOT NULL,
  merchant_id    text        NOT NULL,
  mode           text        NOT NULL,
  orders_from    timestamptz NOT NULL,
  account_id     text        NOT NULL REFERENCES provider_accounts,
  taking_orders  boolean     NOT NULL
);
CREATE INDEX account_schedule_of_merchant
    ON account_schedule (platform_id, merchant_id, mode, orders_from, id);

-- The line of the schedule that is in force at a time. The first one also is before it begins:
-- processes' clocks are not the same to the millisecond.
CREATE FUNCTION current_account(of_platform text, of_merchant text, of_mode text, at timestamptz)
RETURNS account_schedule LANGUAGE sql STABLE AS $$
  SELECT s.* FROM account_schedule s
   WHERE (s.platform_id, s.merchant_id, s.mode) = (of_platform, of_merchant, of_mode)
   ORDER BY s.orders_from <= at DESC,
            CASE WHEN s.orders_from <= at THEN s.orders_from END DESC,
            CASE WHEN s.orders_from <= at THEN s.id END DESC,
            s.orders_from, s.id
   LIMIT 1
$$;

${ACCOUNT_STATUSES}
${RECORD_ACCOUNT_EVENT}
-- Each registered account has its standing jobs from its registration on: its lists are read, and
-- it is reconciled. What was made before the account was registered is not ours to account for. Due
-- at once, by whatever business time the workers have.
CREATE FUNCTION begin_account_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO jobs (kind, key, account_id, due_at, progress)
  SELECT 'account.' || list, NEW.id, NEW.id, 'epoch',
         jsonb_build_object('createdSince', floor(extract(epoch FROM NEW.created_at))::bigint)
    FROM unnest('{payments,payouts,refunds,disputes,reconcile}'::text[]) AS list
      ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;
CREATE TRIGGER begin_account_jobs AFTER INSERT OR UPDATE OF webhook_endpoint_id
    ON provider_accounts FOR EACH ROW
  WHEN (NEW.webhook_endpoint_id IS NOT NULL) EXECUTE FUNCTION begin_account_jobs();
`;
