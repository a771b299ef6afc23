import { ACCOUNT_STATUSES, RECORD_ACCOUNT_EVENT } from './accounts.js';
import { REQUEST_EXCEPTION_CLOSING } from './admin.js';

type Renamed = readonly (readonly [table: string, was: string, is: string])[];

export const RENAMED_TABLES: Renamed = [
  ['merchant_exceptions', 'merchant_exceptions', 'merchant_attention'],
  ['provider_calls', 'provider_calls', 'api_requests'],
  ['admin_sign_in_tries', 'admin_sign_in_tries', 'admin_sign_in_attempts'],
];

/** The columns that were renamed, by the current names of their tables. */
export const RENAMED_COLUMNS: Renamed = [
  ['order_list', 'taken_back_minor', 'charged_back_minor'],
  ['payment_list', 'unknown', 'unknown_results'],
  ['payment_list', 'unmade_refunds', 'rejected_refunds'],
  ['payment_list', 'unmade_minor', 'rejected_minor'],
  ['dispute_list', 'response', 'reason_code'],
  ['dispute_list', 'payer_response', 'payer_reason_code'],
  ['merchant_list', 'open_for_orders', 'orders_enabled'],
  ['merchant_attention', 'silent_since', 'status_overdue_since'],
  ['merchant_attention', 'unknown_calls', 'unknown_results'],
  ['payout_list', 'date_bank', 'bank_date'],
  ['payout_lines', 'times', 'occurrences'],
  ['lost_debits', 'other_than', 'unrelated_payments'],
];

/**
 * The indexes that were renamed. The indexes of a table that was rebuilt have other names, so a
 * missing index is ignored.
 */
export const RENAMED_INDEXES: Renamed = [
  ['payment_list', 'payment_list_unknown', 'payment_list_unknown_results'],
  ['payment_list', 'payment_list_unmade_refunds', 'payment_list_rejected_refunds'],
  ['merchant_attention', 'merchant_exceptions_pkey', 'merchant_attention_pkey'],
  ['merchant_attention', 'merchant_exceptions_waiting', 'merchant_attention_needed'],
  ['api_requests', 'provider_calls_pkey', 'api_requests_pkey'],
  ['api_requests', 'provider_calls_by_age', 'api_requests_by_age'],
  ['api_requests', 'provider_calls_of_object', 'api_requests_of_object'],
  ['api_requests', 'provider_calls_of_reference', 'api_requests_of_reference'],
  ['admin_sign_in_attempts', 'admin_sign_in_tries_pkey', 'admin_sign_in_attempts_pkey'],
];

const lines = (renamed: Renamed, sql: (...names: Renamed[number]) => string): string =>
  renamed.map((names) => sql(...names)).join('\n');

const RENAMES = `
${lines(RENAMED_TABLES, (_table, was, is) => `ALTER TABLE ${was} RENAME TO ${is};`)}
${lines(RENAMED_COLUMNS, (on, was, is) => `ALTER TABLE ${on} RENAME COLUMN ${was} TO ${is};`)}
${lines(RENAMED_INDEXES, (_on, was, is) => `ALTER INDEX IF EXISTS ${was} RENAME TO ${is};`)}
-- A rebuild that is under way begins anew.
${[...new Set(['merchant_exceptions', ...RENAMED_COLUMNS.map(([table]) => table)])]
  .map((table) => `DROP TABLE IF EXISTS ${table}_rebuild;`)
  .join('\n')}
ALTER SEQUENCE provider_calls_id_seq RENAME TO api_requests_id_seq;
ALTER TABLE admin_actions
  RENAME CONSTRAINT nobody_approves_their_own TO requester_does_not_approve;
ALTER FUNCTION ask_for_intent_read RENAME TO request_intent_read;
ALTER TRIGGER ask_for_intent_read ON webhooks_received RENAME TO request_intent_read;
DROP FUNCTION account_standing, ask_to_close_exception;
DROP TRIGGER events_of_accounts ON events;
DROP FUNCTION keep_account;
${ACCOUNT_STATUSES}
${RECORD_ACCOUNT_EVENT}
${REQUEST_EXCEPTION_CLOSING}

UPDATE jobs SET kind = 'onboarding.status_overdue' WHERE kind = 'onboarding.silence';
UPDATE sagas
   SET waiting = replace(waiting::text, '"onboarding.silence"', '"onboarding.status_overdue"')::jsonb
 WHERE waiting::text LIKE '%"onboarding.silence"%';
UPDATE admin_actions a SET kind = renamed.new_kind
  FROM (VALUES ('give_up_refund', 'abandon_refund'), ('settle_call', 'resolve_result'),
               ('retry_call', 'retry_request')) AS renamed(old_kind, new_kind)
 WHERE a.kind = renamed.old_kind;
UPDATE rebuildable_tables SET name = 'merchant_attention' WHERE name = 'merchant_exceptions';
UPDATE projection_rebuilds SET projection = 'merchant_attention'
 WHERE projection = 'merchant_exceptions';
UPDATE log_cursors SET name = 'projection:merchant_attention'
 WHERE name = 'projection:merchant_exceptions';
UPDATE blocked_streams SET reader = 'projection:merchant_attention'
 WHERE reader = 'projection:merchant_exceptions';
`;

/**
 * The difference between the schema of the last release before 1.0 and the current schema, to
 * migrate a database of that release.
 */
export const SINCE_LAST_BEFORE = `
ALTER TABLE order_list ADD COLUMN paid_minor bigint NOT NULL DEFAULT 0;
ALTER TABLE payment_list ADD COLUMN captured_minor bigint NOT NULL DEFAULT 0;
CREATE INDEX payment_list_captured_in_part ON payment_list (requested_at DESC, payment_id DESC)
 WHERE captured_minor > 0 AND captured_minor < amount_minor;
CREATE INDEX payout_lines_of_payment ON payout_lines (account_id, provider_payment_id)
 WHERE kind = 'payment';
DROP INDEX payout_lines_of_object;
${RENAMES}
-- What was captured before is in the log, as are the statuses of merchants by our words.
INSERT INTO projection_rebuilds (projection)
SELECT unnest('{order_list,payment_list,merchant_list,merchant_attention}'::text[])
ON CONFLICT (projection) WHERE ended_at IS NULL DO NOTHING;
`;
