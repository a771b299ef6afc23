/**
 * Lists of orders, payments, refunds, disputes and mandates. They are projections of the log, and
 * can be rebuilt from it at any time. Each sort order of a list has an index for platforms, which
 * see only their own rows, and an index for the console, which sees all rows.
 */
export const LISTS = `
CREATE TABLE order_list (
  order_id          text        PRIMARY KEY,
  platform_id       text        NOT NULL,
  merchant_id       text        NOT NULL,
  reference         text        NOT NULL,
  amount_minor      bigint      NOT NULL,
  currency          text        NOT NULL,
  status            text        NOT NULL,
  payment_id        text,
  placed_at         timestamptz NOT NULL,
  version           integer     NOT NULL,
  refunded_minor    bigint      NOT NULL DEFAULT 0,
  -- By chargebacks, returned debits and payments that were lost.
  charged_back_minor  bigint      NOT NULL DEFAULT 0,
  account_id        text        NOT NULL DEFAULT '',
  methods           text[]      NOT NULL DEFAULT '{}',
  updated_at        timestamptz NOT NULL DEFAULT 'epoch',
  paid_minor        bigint      NOT NULL DEFAULT 0
);
CREATE INDEX order_list_newest ON order_list (platform_id, placed_at DESC, order_id DESC);
CREATE INDEX order_list_by_status
    ON order_list (platform_id, status, placed_at DESC, order_id DESC);
CREATE INDEX order_list_updated ON order_list (platform_id, updated_at DESC, order_id DESC);
CREATE INDEX order_list_amounts
    ON order_list (platform_id, currency, amount_minor DESC, order_id DESC);
CREATE INDEX order_list_of_account ON order_list (account_id, placed_at DESC, order_id DESC);
CREATE INDEX order_list_by_merchant ON order_list (merchant_id, placed_at DESC, order_id DESC);
CREATE INDEX order_list_all_newest ON order_list (placed_at DESC, order_id DESC);
CREATE INDEX order_list_all_by_status ON order_list (status, placed_at DESC, order_id DESC);
CREATE INDEX order_list_all_updated ON order_list (updated_at DESC, order_id DESC);
CREATE INDEX order_list_all_amounts ON order_list (currency, amount_minor DESC, order_id DESC);
-- A reference is a few platforms' at most: this one serves them, too.
CREATE INDEX order_list_all_by_reference ON order_list (reference, placed_at DESC, order_id DESC);

CREATE TABLE payment_list (
  payment_id         text        PRIMARY KEY,
  order_id           text        NOT NULL,
  platform_id        text        NOT NULL,
  account_id         text        NOT NULL,
  amount_minor       bigint      NOT NULL,
  currency           text        NOT NULL,
  status             text        NOT NULL,
  intent_id          text,
  -- Of its attempts, refunds and disputes.
  provider_ids       text[]      NOT NULL,
  -- Calls whose outcome is not known.
  unknown_results    text[]      NOT NULL,
  refunded_minor     bigint      NOT NULL,
  disputed           boolean     NOT NULL,
  mismatched         boolean     NOT NULL,
  requested_at       timestamptz NOT NULL,
  version            integer     NOT NULL,
  -- Of each refund that was requested: our id, and the platform's own where it gave one.
  refund_references  text[]      NOT NULL DEFAULT '{}',
  -- Requests that failed and need attention, and their amounts in the same order.
  rejected_refunds     text[]      NOT NULL DEFAULT '{}',
  rejected_minor       bigint[]    NOT NULL DEFAULT '{}',
  method             text,
  -- As the payment has them; refund_list and dispute_list follow from these.
  refunds            jsonb       NOT NULL DEFAULT '[]',
  disputes           jsonb       NOT NULL DEFAULT '[]',
  updated_at         timestamptz NOT NULL DEFAULT 'epoch',
  captured_minor     bigint      NOT NULL DEFAULT 0
);
CREATE INDEX payment_list_of_platform
    ON payment_list (platform_id, requested_at DESC, payment_id DESC);
CREATE INDEX payment_list_updated ON payment_list (platform_id, updated_at DESC, payment_id DESC);
CREATE INDEX payment_list_amounts
    ON payment_list (platform_id, currency, amount_minor DESC, payment_id DESC);
CREATE INDEX payment_list_of_account
    ON payment_list (account_id, requested_at DESC, payment_id DESC);
CREATE INDEX payment_list_newest ON payment_list (requested_at DESC, payment_id DESC);
CREATE INDEX payment_list_by_status ON payment_list (status, requested_at DESC, payment_id DESC);
CREATE INDEX payment_list_all_updated ON payment_list (updated_at DESC, payment_id DESC);
CREATE INDEX payment_list_all_amounts
    ON payment_list (currency, amount_minor DESC, payment_id DESC);
CREATE INDEX payment_list_of_order ON payment_list (order_id);
CREATE INDEX payment_list_of_intent ON payment_list (intent_id);
CREATE INDEX payment_list_by_provider_id ON payment_list USING gin (provider_ids);
CREATE INDEX payment_list_by_refund
    ON payment_list USING gin (refund_references) WHERE refund_references <> '{}';
CREATE INDEX payment_list_unknown_results
    ON payment_list (requested_at DESC, payment_id DESC) WHERE unknown_results <> '{}';
CREATE INDEX payment_list_disputed
    ON payment_list (requested_at DESC, payment_id DESC) WHERE disputed;
CREATE INDEX payment_list_mismatched
    ON payment_list (requested_at DESC, payment_id DESC) WHERE mismatched;
CREATE INDEX payment_list_rejected_refunds
    ON payment_list (requested_at DESC, payment_id DESC) WHERE rejected_refunds <> '{}';
CREATE INDEX payment_list_captured_in_part ON payment_list (requested_at DESC, payment_id DESC)
 WHERE captured_minor > 0 AND captured_minor < amount_minor;

CREATE TABLE refund_list (
  refund_id           text        PRIMARY KEY,
  payment_id          text        NOT NULL,
  order_id            text        NOT NULL,
  platform_id         text        NOT NULL,
  account_id          text        NOT NULL,
  currency            text        NOT NULL,
  method              text,
  amount_minor        bigint      NOT NULL,
  status              text        NOT NULL,
  provider_refund_id  text,
  requested           boolean     NOT NULL,
  reference           text,
  reason              text,
  rejection_reason    text,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  version             integer     NOT NULL
);
CREATE INDEX refund_list_newest ON refund_list (platform_id, created_at DESC, refund_id DESC);
CREATE INDEX refund_list_updated ON refund_list (platform_id, updated_at DESC, refund_id DESC);
CREATE INDEX refund_list_amounts
    ON refund_list (platform_id, currency, amount_minor DESC, refund_id DESC);
CREATE INDEX refund_list_of_payment ON refund_list (payment_id);

CREATE TABLE dispute_list (
  dispute_id      text        PRIMARY KEY,
  payment_id      text        NOT NULL,
  order_id        text        NOT NULL,
  platform_id     text        NOT NULL,
  account_id      text        NOT NULL,
  currency        text        NOT NULL,
  method          text,
  amount_minor    bigint      NOT NULL,
  kind            text        NOT NULL,
  status          text        NOT NULL,
  reason_code        text     NOT NULL,
  payer_reason_code  text        NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  version         integer     NOT NULL
);
CREATE INDEX dispute_list_newest ON dispute_list (platform_id, created_at DESC, dispute_id DESC);
CREATE INDEX dispute_list_updated ON dispute_list (platform_id, updated_at DESC, dispute_id DESC);
CREATE INDEX dispute_list_amounts
    ON dispute_list (platform_id, currency, amount_minor DESC, dispute_id DESC);
CREATE INDEX dispute_list_of_payment ON dispute_list (payment_id);

-- Of payments that may be direct debits: which mandate each has debited, so that a platform finds
-- the mandates that it may use again.
CREATE TABLE mandate_use (
  payment_id   text        PRIMARY KEY,
  order_id     text        NOT NULL,
  platform_id  text        NOT NULL,
  account_id   text        NOT NULL,
  mandate_id   text,
  debited_at   timestamptz,
  version      integer     NOT NULL
);
CREATE INDEX mandate_use_by_mandate
    ON mandate_use (platform_id, mandate_id, debited_at) WHERE mandate_id IS NOT NULL;
CREATE INDEX mandate_use_debited
    ON mandate_use (platform_id, debited_at DESC, payment_id DESC) WHERE mandate_id IS NOT NULL;
`;
