/**
 * The settings of the embedded PostgreSQL and Kafka. A test compares them with docker-compose.yml.
 * fsync and synchronous commits stay enabled, so that benches and chaos runs use the settings of
 * production.
 */
export const POSTGRES_VERSION = '18';
export const KAFKA_VERSION = '4.1.0';
export const SCALA_VERSION = '2.13';
/** The version of slf4j that this release of Kafka requires. */
export const SLF4J_VERSION = '1.7.36';

export const POSTGRES_SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '200',
  shared_buffers: '128MB',
  timezone: 'UTC',
  // Limits transactions, because a long transaction in any database of the server delays every
  // reader of the event log.
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '30s',
  transaction_timeout: '120s',
  lock_timeout: '20s',
};

/** Sorts text by bytes, so that the order is the same on every machine. */
export const INITDB_FLAGS = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
];

export const KAFKA_HEAP = '-Xmx512m';

export const KAFKA_SETTINGS = {
  'auto.create.topics.enable': 'false',
  'group.initial.rebalance.delay.ms': '0',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '4',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'min.insync.replicas': '1',
  'default.replication.factor': '1',
  // The session timeout is short, because a crashed broker of a single-broker cluster can register
  // again only after its old session has timed out.
  'broker.session.timeout.ms': '3000',
  'broker.heartbeat.interval.ms': '500',
};

const OLD_SPACE = '--max-old-space-size=256';
const SEMI_SPACE = '--max-semi-space-size=6';

/** @type {typeof import('./settings.mjs').heapArgs} */
export const heapArgs = (app) =>
  ['all', 'api', 'worker', 'sandbox'].includes(app) ? [OLD_SPACE, SEMI_SPACE] : [];

/** @type {typeof import('./settings.mjs').MALLOC} */
export const MALLOC = { MALLOC_ARENA_MAX: '1' };

/**
 * Arguments with which the Node of the specs compiles only very frequent functions to optimized
 * machine code. In the short processes of specs, this compilation took a tenth of the CPU time.
 */
export const SHORT_RUN = ['--invocation-count-for-turbofan=30000'];
