import type { AlertCase } from './alert-case.js';

const RELAY = { relay_oldest_unpublished_seconds: '0x90' };
const UP = {
  'up{app="api"}': '1x90',
  'up{app="worker"}': '1x90',
  'up{app="admin"}': '1x90',
  ...RELAY,
};
const NO_PROCESS = (app: string) => `No ${app} process responds`;
const AUDIT = ': see the audit of the console for the user and the reason';

/** The alert `AppDown` if Prometheus collects no series at all. */
export const NOTHING_SCRAPED: AlertCase = {
  alert: 'AppDown',
  minute: 10,
  bad: {},
  fired: { labels: { app: 'all' }, summary: NO_PROCESS('all') },
  good: UP,
};

export const PROCESS_ALERTS: readonly AlertCase[] = [
  {
    alert: 'AppDown',
    minute: 10,
    bad: { ...UP, 'up{app="worker"}': '1x5 0x85' },
    fired: { labels: { app: 'worker' }, summary: NO_PROCESS('worker') },
    good: UP,
  },
  {
    alert: 'AppDown',
    minute: 10,
    bad: { ...UP, 'up{app="api"}': '1x5 stale' },
    fired: { labels: { app: 'api' }, summary: NO_PROCESS('api') },
    good: { 'up{app="all"}': '1x90', 'up{app="admin"}': '1x90', ...RELAY },
  },
  {
    alert: 'AppDown',
    minute: 10,
    bad: { 'up{app="all"}': '1x90', ...RELAY },
    fired: { labels: { app: 'admin' }, summary: NO_PROCESS('admin') },
    good: {
      'up{app="all",instance="1"}': '1x5 0x85',
      'up{app="all",instance="2"}': '1x90',
      'up{app="admin"}': '1x90',
      ...RELAY,
    },
  },
  {
    alert: 'NoWorker',
    minute: 10,
    bad: { ...UP, relay_oldest_unpublished_seconds: '0x5 stale' },
    fired: { summary: 'No worker reports the lag of the relay' },
    good: UP,
  },
  {
    alert: 'Unavailable',
    minute: 20,
    bad: {
      'http_request_duration_seconds_count{app="api",status="503",route="/v1/orders"}': '0+10x30',
      'http_request_duration_seconds_count{app="api",status="200",route="/v1/orders"}': '0+90x30',
    },
    fired: {
      labels: { app: 'api' },
      summary: 'api rejects more than 5% of requests with 502, 503 or 504',
    },
    good: {
      'http_request_duration_seconds_count{app="api",status="503",route="/v1/orders"}': '0+4x30',
      'http_request_duration_seconds_count{app="api",status="200",route="/v1/orders"}': '0+96x30',
      'http_request_duration_seconds_count{app="api",status="503",route="/health/ready"}':
        '0+60x30',
    },
  },
  {
    alert: 'RelayFailing',
    minute: 10,
    bad: { relay_failing: '1x30' },
    fired: { summary: 'Events cannot be published' },
    good: { relay_failing: '0x30' },
  },
  {
    alert: 'StreamsHeldBack',
    minute: 40,
    bad: { 'streams_awaiting_upgrade{reader="relay"}': '4x60' },
    fired: {
      labels: { reader: 'relay' },
      summary: 'relay holds back 4 streams that need a newer release',
    },
    good: { 'streams_awaiting_upgrade{reader="relay"}': '4x20 0x60' },
  },
  {
    alert: 'ClockOff',
    minute: 10,
    bad: { 'clock_offset_seconds{instance="worker:4102"}': '-7x30' },
    fired: {
      labels: { instance: 'worker:4102' },
      summary: 'The clock of worker:4102 differs from the database by 7 s',
    },
    good: { 'clock_offset_seconds{instance="worker:4102"}': '4x30' },
  },
  {
    alert: 'EventsLate',
    minute: 10,
    bad: { relay_oldest_unpublished_seconds: '31x30' },
    fired: { summary: 'Events are published more than 30 seconds late' },
    good: { relay_oldest_unpublished_seconds: '29x30' },
  },
  {
    alert: 'TransactionOpen',
    minute: 10,
    bad: { 'postgres_oldest_transaction_seconds{holder="psql"}': '11x30' },
    fired: {
      labels: { holder: 'psql' },
      summary: 'An open transaction of psql holds back all log consumers',
    },
    good: { 'postgres_oldest_transaction_seconds{holder="psql"}': '9x30' },
  },
  {
    alert: 'CallsWaiting',
    minute: 40,
    bad: { 'jobs_open{kind="capture",state="waiting",instance="w"}': '60+2x60' },
    fired: { summary: 'A growing number of provider requests wait for a retry' },
    good: { 'jobs_open{kind="capture",state="waiting",instance="w"}': '60x60' },
  },
  {
    alert: 'CallsNotMade',
    minute: 10,
    bad: { 'jobs_open{kind="capture",state="ready",instance="w"}': '501x30' },
    fired: { summary: 'Provider requests are queued faster than they are sent' },
    good: {
      'jobs_open{kind="capture",state="ready",instance="w1"}': '300x30',
      'jobs_open{kind="capture",state="ready",instance="w2"}': '300x30',
      'jobs_open{kind="payment.read",state="ready",instance="w1"}': '900x30',
    },
  },
  {
    alert: 'WebhooksNotHandled',
    minute: 15,
    bad: { webhooks_open: '501x30' },
    fired: { summary: 'Webhooks arrive faster than they are processed' },
    good: { webhooks_open: '499x30' },
  },
  {
    alert: 'ProjectionBehind',
    minute: 10,
    bad: { 'projection_lag_seconds{projection="order_list"}': '61x30' },
    fired: {
      labels: { projection: 'order_list' },
      summary: 'order_list lags the log by a minute: its read model is outdated',
    },
    good: { 'projection_lag_seconds{projection="order_list"}': '59x30' },
  },
  {
    alert: 'ServerErrors',
    minute: 8,
    bad: { 'http_request_duration_seconds_count{route="/v1/orders",status="500"}': '0+1x30' },
    fired: { labels: { route: '/v1/orders' }, summary: '/v1/orders returns 500' },
    good: { 'http_request_duration_seconds_count{route="/v1/orders",status="404"}': '0+9x30' },
  },
  {
    alert: 'ServerErrors',
    minute: 8,
    bad: {
      'http_request_duration_seconds_count{route="/v1/refunds",status="500"}': 'stale 1x3 2x30',
    },
    fired: { labels: { route: '/v1/refunds' }, summary: '/v1/refunds returns 500' },
    good: { 'http_request_duration_seconds_count{route="/v1/refunds",status="500"}': 'stale 1x30' },
  },
  {
    alert: 'ConnectionsWaited',
    minute: 10,
    bad: { 'pg_pool_connections{app="worker",state="waiting"}': '1x30' },
    fired: { labels: { app: 'worker' }, summary: 'Requests wait for a connection to PostgreSQL' },
    good: { 'pg_pool_connections{app="worker",state="idle"}': '9x30' },
  },
  {
    alert: 'AccessGiven',
    minute: 30,
    bad: { 'console_audit_rows{action="user.created"}': '3x20 4x40' },
    fired: { labels: { action: 'user.created' }, summary: `user.created${AUDIT}` },
    good: { 'console_audit_rows{action="session.began"}': '3x20 4x40' },
  },
  {
    alert: 'GlassBroken',
    minute: 50,
    bad: { break_glass_last_used_timestamp_seconds: '0x10 600x80' },
    fired: { summary: 'Break-glass access was used on the command line' },
    good: { break_glass_last_used_timestamp_seconds: '-4000x90' },
  },
  {
    alert: 'SignInsLimited',
    minute: 30,
    bad: { 'console_audit_rows{action="session.sign_in_limited"}': '3x20 4x40' },
    fired: { summary: 'A sign-in limit of the console was reached' },
    good: { 'console_audit_rows{action="session.sign_in_limited"}': '3x60' },
  },
];
