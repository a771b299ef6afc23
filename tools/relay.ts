import { parseArgs } from 'node:util';
import { LogReader, requireOwnLog } from '#log';
import {
  createKafka,
  isStreamType,
  kafkaSettingsFromEnv,
  KafkaPublisher,
  republish,
  TOPIC_NAMES,
} from '#kafka';
import { UPCASTERS } from '#orchestrator';
import { agreeOnProduction, createLogger, createPool } from '#platform';
import { auditedWork } from './audited-work.js';
import { commandLineOrigin, reasonOf } from './command-line.js';
import { reportFailure } from './report-failure.js';

const USAGE = `usage: npm run relay -- republish <stream type> --reason "…" [--shared]

Publishes all events of a stream type (${Object.keys(TOPIC_NAMES).join(', ')})
again from the event log, after its topic was lost or emptied.
Stop the workers first, and delete the topic if it contains messages. With --shared the topic may
contain the messages of other shards. Needs DATABASE_URL and KAFKA_BROKERS.
`;

const WAIT_FOR_RELAY_MS = 20_000;

const run = async (): Promise<number> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { reason: { type: 'string' }, shared: { type: 'boolean' } },
  });
  const [verb, streamType] = positionals;
  const understood = verb === 'republish' && positionals.length === 2;
  if (!understood || streamType === undefined || !isStreamType(streamType)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const entry = {
    action: 'ops.relay_republish',
    subject: { type: 'topic', id: TOPIC_NAMES[streamType] },
    reason: reasonOf(values.reason, USAGE),
  };
  const logger = createLogger('relay-tool', { level: 'warn' });
  const settings = kafkaSettingsFromEnv();
  const kafka = createKafka(settings, 'relay-tool', logger);
  const pool = createPool({ applicationName: 'relay-tool', max: 2 }, (err) =>
    logger.warn({ err }, 'an idle database connection was closed'),
  );
  const publisher = new KafkaPublisher(kafka, () => Promise.resolve());
  try {
    await agreeOnProduction(pool);
    await requireOwnLog(pool);
    const count = await auditedWork(pool, commandLineOrigin(), entry, async () => {
      const events = await republish({
        pool,
        publisher,
        topics: settings.topics,
        streamType,
        isShared: values.shared === true,
        waitMs: WAIT_FOR_RELAY_MS,
        reader: new LogReader(pool, UPCASTERS),
        kafka,
        logger,
        onProgress: (published) => process.stderr.write(`\r${published} events`),
      });
      return { outcome: { events }, answer: events };
    });
    process.stdout.write(`\n${TOPIC_NAMES[streamType]}: ${count} events published again\n`);
    return 0;
  } finally {
    await publisher.close();
    await pool.end();
  }
};

try {
  process.exitCode = await run();
} catch (error) {
  reportFailure(error);
}
