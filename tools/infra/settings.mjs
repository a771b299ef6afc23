/**
 * What PostgreSQL and Kafka run with, embedded and in docker-compose.yml alike: a test compares
 * the two. Durability stays on everywhere, so that what is measured and killed is the real thing.
 */
export const POSTGRES_VERSION = '18';
export const KAFKA_VERSION = '4.1.0';
export const SCALA_VERSION = '2.13';
/** Of the slf4j line that this Kafka was built with. */
export const SLF4J_VERSION = '1.7.36';

export const POSTGRES_SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '200',
  shared_buffers: '128MB',
  timezone: 'UTC',
  // A long transaction delays every reader of the log, whichever database it is in.
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '30s',
  transaction_timeout: '120s',
  lock_timeout: '20s',
};

/** Sorting by bytes is the same on every machine. */
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
  // One process is the whole cluster: after a crash it need not wait long for its old session.
  'broker.session.timeout.ms': '3000',
  'broker.heartbeat.interval.ms': '500',
};
