import { entityOfSubject } from '#onboarding';

/**
 * Placeholders in the conditions, replaced by parameters: the visible platforms and merchants
 * (`keysOf`), and the user's id.
 */
const KEYS = ':keys';
const USER = ':user';

/** Whether a row of `t` belongs to a visible platform, or to a visible merchant. */
const ofMerchant = (t: string, merchant = `${t}.merchant_id`): string =>
  `(${t}.platform_id = ANY (${KEYS}) OR ${t}.platform_id || ' ' || ${merchant} = ANY (${KEYS}))`;

const ofAccount = (account = 't.account_id'): string =>
  `${account} IN (SELECT a.id FROM public.provider_accounts a WHERE ${ofMerchant('a')})`;

/**
 * The condition for tables whose rows contain the platform and the provider account, but not the
 * merchant.
 */
const OF_PLATFORM_OR_ACCOUNT = `(t.platform_id = ANY (${KEYS}) OR ${ofAccount()})`;

const within = (table: string, key: string, id: string, where: string): string =>
  `EXISTS (SELECT FROM public.${table} w WHERE w.${key} = ${id} AND ${where})`;

/** Whether an id is that of a visible order, payment, payout, merchant, account or endpoint. */
const ofEntity = (id: string): string => `(
  ${within('order_list', 'order_id', id, ofMerchant('w'))}
  OR ${within('payment_list', 'payment_id', id, `(w.platform_id = ANY (${KEYS}) OR ${ofAccount('w.account_id')})`)}
  OR ${within('payout_list', 'payout_id', id, ofMerchant('w'))}
  OR ${within('merchant_list', 'merchant_id', id, ofMerchant('w'))}
  OR ${within('provider_accounts', 'id', id, ofMerchant('w'))}
  OR ${within('webhook_endpoints', 'id', id, ofMerchant('w'))})`;

/**
 * Most events contain their platform and merchant; for the other events, the read models contain
 * them.
 */
const OF_EVENT = `(t.metadata ->> 'platformId' = ANY (${KEYS})
  OR (t.metadata ->> 'platformId') || ' ' || (t.metadata ->> 'merchantId') = ANY (${KEYS})
  OR ${ofEntity('t.stream_id')})`;

const WEBHOOK_ID = `CASE WHEN t.subject_type = 'webhook' AND t.subject_id ~ '^[0-9]{1,18}$'
  THEN t.subject_id::bigint END`;

/**
 * Whether the subject of a row (an entity, reconciliation break, webhook or queued request) is
 * visible. `ofJob`: the condition for a queued request. The job of a request that has ended may be
 * deleted; then only the action's row still names the payment.
 */
const ofSubject = (ofJob: string): string => `CASE t.subject_type
    WHEN 'exception' THEN ${within('reconciliation_exceptions', 'exception_id', 't.subject_id', ofMerchant('w'))}
    WHEN 'webhook' THEN ${within('webhooks_received', 'id', WEBHOOK_ID, ofAccount('w.account_id'))}
    WHEN 'job' THEN ${ofJob}
    WHEN 'user' THEN false
    WHEN 'incident' THEN false
    ELSE ${ofEntity('t.subject_id')} END`;

const OF_ACTION = `EXISTS (
  SELECT FROM public.admin_actions m
   WHERE m.id = t.detail ->> 'actionId' AND ${ofEntity(`m.about ->> 'subjectId'`)})`;

const NOTHING = 'false';
/**
 * The condition for tables that are read without restriction: they contain no data of platforms, or
 * are read only by ids that were found in restricted tables.
 */
const EVERYTHING = null;

/**
 * The rows of each table that a user limited to platforms or merchants sees, as a condition on `t`.
 * This is the only place of the rule; every statement of a read is narrowed by it. A new table
 * needs an entry; `NOTHING` if limited users need none of its rows.
 */
export const VISIBLE_ROWS: Readonly<Record<string, string | null>> = {
  order_list: ofMerchant('t'),
  payment_list: OF_PLATFORM_OR_ACCOUNT,
  payout_list: ofMerchant('t'),
  merchant_list: ofMerchant('t'),
  merchant_attention: within('merchant_list', 'merchant_id', 't.merchant_id', ofMerchant('w')),
  refund_list: OF_PLATFORM_OR_ACCOUNT,
  dispute_list: OF_PLATFORM_OR_ACCOUNT,
  mandate_use: OF_PLATFORM_OR_ACCOUNT,
  order_search: ofEntity('t.order_id COLLATE "default"'),
  payment_search: ofEntity('t.payment_id COLLATE "default"'),
  ledger_journal: OF_PLATFORM_OR_ACCOUNT,
  ledger_balances: OF_PLATFORM_OR_ACCOUNT,
  ledger_streams: OF_PLATFORM_OR_ACCOUNT,
  payout_lines: ofAccount(),
  reconciliation_exceptions: ofMerchant('t'),
  reconciliation_marks: ofAccount(),
  provider_accounts: ofMerchant('t'),
  webhook_endpoints: ofMerchant('t'),
  webhook_deliveries: within('webhook_endpoints', 'id', 't.endpoint_id', ofMerchant('w')),
  webhooks_received: ofAccount(),
  webhooks_refused: ofAccount(),
  lost_debits: ofAccount(),
  api_keys: `t.platform_id = ANY (${KEYS})`,
  events: OF_EVENT,
  sagas: ofEntity('t.key'),
  jobs: ofEntity(`coalesce(${entityOfSubject('t.subject_id')}, t.key)`),
  blocked_streams: ofEntity('t.stream_id'),
  case_notes: ofEntity('t.subject_id'),
  audit: `CASE WHEN t.subject_type = 'case' THEN ${ofEntity(`t.detail ->> 'subjectId'`)}
               ELSE ${ofSubject(OF_ACTION)} END`,
  admin_actions: ofSubject(ofEntity(`t.about ->> 'subjectId'`)),
  admin_saved_views: `t.owner_id = ${USER}`,

  admin_users: EVERYTHING,
  admin_sessions: EVERYTHING,
  admin_second_factors: EVERYTHING,
  admin_security_keys: EVERYTHING,
  api_requests: EVERYTHING,
  history_watermarks: EVERYTHING,
  log_identity: EVERYTHING,

  account_schedule: NOTHING,
  admin_exports: NOTHING,
  case_notices: NOTHING,
  notice_messages: NOTHING,
  admin_export_chunks: NOTHING,
  admin_identities: NOTHING,
  admin_known_browsers: NOTHING,
  admin_recovery_codes: NOTHING,
  admin_sign_in_attempts: NOTHING,
  daily_limits: NOTHING,
  daily_use: NOTHING,
  discarded_reactions: NOTHING,
  idempotency_keys: NOTHING,
  leases: NOTHING,
  log_cursors: NOTHING,
  log_restores: NOTHING,
  merchant_details: NOTHING,
  migrations: NOTHING,
  production_marks: NOTHING,
  projection_rebuilds: NOTHING,
  projection_writers: NOTHING,
  provider_budgets: NOTHING,
  rebuildable_tables: NOTHING,
  reservations: NOTHING,
  restore_reads: NOTHING,
  webhook_details: NOTHING,
};

/** Tables of which a statement reads `ctid`, the physical position of a row. */
const WITH_PLACE: readonly string[] = ['order_search', 'payment_search'];

const NAME = new RegExp(
  `\\b(?:${Object.entries(VISIBLE_ROWS)
    .flatMap(([name, where]) => (where === null ? [] : name))
    .join('|')})\\b`,
  'g',
);

/** A statement with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The user whose visible rows a statement reads. `keys`: see `keysOf`. */
export interface View {
  readonly userId: string;
  readonly keys: readonly string[];
}

/**
 * The statement that reads only the visible rows: each table that it names is replaced by a common
 * table expression of the same name, which PostgreSQL merges into the statement.
 */
export const narrowed = ({ text, values }: Statement, { userId, keys }: View): Statement => {
  const names = [...new Set(text.match(NAME) ?? [])];
  if (names.length === 0) return { text, values };
  const all = [...values];
  const put = (value: unknown, type: string): string => `$${all.push(value)}::${type}`;
  const tables = names
    .map((name) => {
      const columns = WITH_PLACE.includes(name) ? 't.ctid, t.*' : 't.*';
      const where = VISIBLE_ROWS[name] ?? NOTHING;
      return `${name} AS NOT MATERIALIZED (SELECT ${columns} FROM public.${name} t WHERE ${where})`;
    })
    .join(',\n');
  const [keysAt, userAt] = [
    tables.includes(KEYS) ? put(keys, 'text[]') : '',
    tables.includes(USER) ? put(userId, 'text') : '',
  ];
  const ctes = tables.replaceAll(KEYS, keysAt).replaceAll(USER, userAt);
  const own = /^\s*WITH\s+(RECURSIVE\s+)?/i.exec(text);
  return own === null
    ? { text: `WITH ${ctes}\n${text}`, values: all }
    : { text: `WITH ${own[1] ?? ''}${ctes},\n${text.slice(own[0].length)}`, values: all };
};
