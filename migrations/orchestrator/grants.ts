import type { Grants } from '../access/apply-grants.js';

const READ = 'SELECT';
/** The grants of a table to which rows are added, and whose rows are never changed. */
const APPEND = 'SELECT, INSERT';
const CHANGE = 'SELECT, UPDATE';
const KEEP = 'SELECT, INSERT, UPDATE';
const ALL = 'SELECT, INSERT, UPDATE, DELETE';

const WHEN_WHAT = 'SELECT (action, at)';
/** The columns that an operator's retry of a job may change. */
const RELEASE =
  'SELECT, UPDATE (state, due_at, attempts, claim, held_until, note, progress, updated_at)';
const SAY_WHOSE = 'SELECT, UPDATE (unrelated_payments)';

const READ_BY_ALL = { api: READ, worker: READ, admin: READ, ops: READ } as const;
/**
 * The grants of a table that is computed from the log: the worker writes it, and the command line
 * rebuilds it.
 */
const PROJECTED = { api: READ, worker: KEEP, admin: READ, ops: KEEP } as const;

/**
 * The rights on each table. If a table has no entry, the migration fails. The app `all` has the
 * rights of api and worker; `ops` is the command line. Steps are committed by the function
 * `commit_steps`, which has the rights of the owner, so nothing else can write to the log.
 */
export const ORCHESTRATOR_GRANTS: Grants = {
  tables: {
    // The event log, and the other tables that a step writes.
    events: READ_BY_ALL,
    // A starting process may record a restore of the log, which begins a new epoch, but only by a
    // function.
    log_identity: READ_BY_ALL,
    log_restores: { worker: 'SELECT, UPDATE (began_at)', admin: READ, ops: READ },
    // The accounts whose payments must still be read after a restore: a view of the table `jobs`.
    restore_reads: { worker: READ },
    // The worker records debits that a restore of the log has lost; an operator decides to which
    // payment they belong.
    lost_debits: { worker: APPEND, admin: SAY_WHOSE, ops: SAY_WHOSE },
    production_marks: { api: APPEND, worker: APPEND, admin: APPEND, ops: APPEND },
    reservations: READ_BY_ALL,
    sagas: { api: READ, worker: CHANGE, admin: CHANGE, ops: CHANGE },
    discarded_reactions: { admin: APPEND, ops: APPEND },
    jobs: { api: READ, worker: ALL, admin: RELEASE, ops: RELEASE },
    idempotency_keys: { api: READ, worker: 'SELECT, UPDATE, DELETE', admin: APPEND, ops: APPEND },
    webhooks_received: {
      api: APPEND,
      worker: 'SELECT, UPDATE, DELETE',
      admin: CHANGE,
      ops: READ,
    },
    webhooks_refused: { api: APPEND, worker: 'SELECT, UPDATE, DELETE', admin: READ },

    // The leases and cursors of the relay and the other log consumers.
    leases: { worker: KEEP, admin: READ, ops: KEEP },
    log_cursors: { api: READ, worker: ALL, admin: READ, ops: ALL },
    blocked_streams: { api: READ, worker: ALL, admin: READ, ops: ALL },
    projection_rebuilds: { worker: CHANGE, admin: APPEND },
    rebuildable_tables: {},
    projection_writers: {},

    // The lists and the ledger, which are projections of the log.
    order_list: PROJECTED,
    payment_list: PROJECTED,
    refund_list: PROJECTED,
    dispute_list: PROJECTED,
    payout_list: PROJECTED,
    merchant_list: PROJECTED,
    merchant_attention: PROJECTED,
    mandate_use: PROJECTED,
    ledger_streams: PROJECTED,
    ledger_balances: PROJECTED,
    order_search: { worker: APPEND, admin: READ, ops: APPEND },
    payment_search: { worker: APPEND, admin: READ, ops: APPEND },
    ledger_journal: { api: READ, worker: APPEND, admin: READ, ops: APPEND },

    // Records of what the provider's API returned, and their reconciliation with our records.
    payout_lines: { api: READ, worker: ALL, admin: READ },
    reconciliation_exceptions: { api: READ, worker: KEEP, admin: CHANGE },
    reconciliation_marks: { worker: KEEP, admin: READ },
    history_watermarks: { api: READ, worker: KEEP, admin: CHANGE, ops: CHANGE },
    provider_budgets: { api: KEEP, worker: KEEP, admin: KEEP, ops: KEEP },
    api_requests: { api: APPEND, worker: 'SELECT, INSERT, UPDATE, DELETE', admin: APPEND },

    // API keys and their limits, provider accounts, and the details of merchants.
    daily_limits: { api: READ, admin: KEEP, ops: KEEP },
    daily_use: { api: KEEP, worker: 'SELECT, UPDATE, DELETE' },
    api_keys: { api: READ, admin: KEEP, ops: KEEP },
    account_schedule: READ_BY_ALL,
    provider_accounts: { api: KEEP, worker: KEEP, admin: READ, ops: CHANGE },
    merchant_details: {
      api: 'SELECT, INSERT, DELETE',
      worker: 'SELECT, UPDATE, DELETE',
      ops: CHANGE,
    },

    // The webhooks that are sent to platforms.
    webhook_endpoints: {
      api: READ,
      worker: 'SELECT, UPDATE (failing_since, failures)',
      admin: READ,
    },
    // The console adds the URL and the secret of a new endpoint, and cannot read them.
    webhook_details: {
      api: APPEND,
      worker: 'SELECT, UPDATE, DELETE',
      admin: 'INSERT',
      ops: CHANGE,
    },
    webhook_deliveries: { api: READ, worker: ALL, admin: READ },

    // The console.
    admin_users: { admin: KEEP, ops: KEEP },
    admin_sessions: { admin: ALL, ops: ALL },
    admin_sign_in_attempts: { admin: ALL, ops: ALL },
    admin_known_browsers: { admin: ALL, ops: ALL },
    admin_second_factors: { admin: ALL, ops: ALL },
    admin_recovery_codes: { admin: ALL, ops: ALL },
    admin_security_keys: { admin: ALL, ops: ALL },
    admin_identities: { admin: ALL, ops: ALL },
    admin_saved_views: { admin: ALL },
    admin_exports: { admin: ALL },
    admin_export_chunks: { admin: 'SELECT, INSERT, DELETE' },
    case_notes: { admin: APPEND },
    case_notices: { admin: ALL },
    notice_messages: { admin: ALL },
    // The api inserts the actions that platforms request, but only by a SECURITY DEFINER function.
    // Of this table it reads these columns, and by a policy only the rows of open requests to close a
    // reconciliation break.
    admin_actions: {
      api: 'SELECT (kind, target, reason, status, requested_by, requested_at, expires_at)',
      admin: KEEP,
      ops: KEEP,
    },
    // Every process exports the time of the last break-glass access as a metric. So it may read the
    // time and the kind of audit entries, and no other column.
    audit: { api: WHEN_WHAT, worker: WHEN_WHAT, admin: APPEND, ops: APPEND },
  },
  functions: {
    commit_steps: { asOwner: true, apps: ['api', 'worker', 'admin', 'ops'] },
    log_incarnation: { asOwner: false, apps: ['api', 'worker', 'admin', 'ops'] },
    note_restore: { asOwner: true, apps: ['api', 'worker', 'admin', 'ops'] },
    claim_jobs: { asOwner: false, apps: ['worker'] },
    request_exception_closing: { asOwner: true, apps: ['api'] },
    redeliver_webhooks: { asOwner: true, apps: ['api'] },
    redeliver_webhook: { asOwner: true, apps: ['api'] },
    discard_webhook: { asOwner: true, apps: ['api'] },
    redeliver_open_webhooks: { asOwner: true, apps: ['admin'] },
    request_webhooks: { asOwner: false, apps: ['worker'] },
    take_over_projections: { asOwner: true, apps: ['worker'] },
    begin_rebuild_of_columns: { asOwner: true, apps: ['worker', 'ops'] },
    // Only processes of release 0.2.0 call `begin_rebuild`.
    begin_rebuild: { asOwner: true, apps: ['worker', 'ops'] },
    end_rebuild: { asOwner: true, apps: ['worker', 'ops'] },
    current_account: { asOwner: false, apps: ['api', 'worker', 'admin', 'ops'] },
    account_statuses: { asOwner: false, apps: ['api', 'worker', 'admin', 'ops'] },
    // Functions of triggers.
    record_account_event: { asOwner: true, apps: [] },
    begin_account_jobs: { asOwner: true, apps: [] },
    record_webhook_endpoint_event: { asOwner: true, apps: [] },
    request_intent_read: { asOwner: true, apps: [] },
    refuse_audit_change: { asOwner: false, apps: [] },
    account_of_read: { asOwner: false, apps: [] },
  },
};
