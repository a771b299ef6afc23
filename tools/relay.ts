import { parseArgs } from 'node:util';
import { LogReader, requireOwnLog } from '#event-store';
import {
  createKafka, ensureTopics, isStreamType, kafkaSettingsFromEnv, KafkaPublisher, republish,
  TOPIC_NAMES,
} from '#messaging';
import { UPCASTERS } from '#orchestrator';
import { createLogger, createPool } from '#platform';
import { auditedWork } from './audited-work.js';
import { commandLineOrigin, reasonOf } from './command-line.js';
import { tellFailure } from './tell-failure.js';

const USAGE = `usage: relay republish order|payment|payout|merchant [--from POSITION] --reason "…"

Tells the topic again from the event log: all of it, or from the event at a log position on.
Stop the workers first. Needs DATABASE_URL and KAFKA_BROKERS.
`;

const WAIT_FOR_RELAY_MS = 20_000;

const run = async (): Promise<number> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true, options: { from: { type: 'string' }, reason: { type: 'string' } },
  });
  const [verb, streamType] = positionals;
  const { from } = values;
  const understood = verb === 'republish' && positionals.length === 2 &&
    (from === undefined || /^\d{1,18}$/.test(from));
  if (!understood || streamType === undefined || !isStreamType(streamType)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const entry = {
    action: 'ops.relay_republish', subject: { type: 'topic', id: TOPIC_NAMES[streamType] },
    reason: reasonOf(values.reason, USAGE), detail: { from: from ?? null },
  };
  const logger = createLogger('relay-tool', { level: 'warn' });
  const settings = kafkaSettingsFromEnv();
  const kafka = createKafka(settings, 'relay-tool', logger);
  const pool = createPool({ applicationName: 'relay-tool', max: 2 }, (err) =>
    logger.warn({ err }, 'an idle connection broke'));
  const publisher = new KafkaPublisher(kafka, () => ensureTopics(kafka, settings.topics, logger));
  try {
    await requireOwnLog(pool);
    const count = await auditedWork(pool, commandLineOrigin(), entry, async () => {
      const events = await republish({
        pool, publisher, topics: settings.topics, streamType, waitMs: WAIT_FOR_RELAY_MS,
        reader: new LogReader(pool, UPCASTERS),
        fromPosition: from ?? null,
        onProgress: (told) => process.stderr.write(`\r${told} events`),
      });
      return { outcome: { events }, answer: events };
    });
    process.stdout.write(`\n${TOPIC_NAMES[streamType]}: ${count} events told again\n`);
    return 0;
  } finally {
    await publisher.close();
    await pool.end();
  }
};

try {
  process.exitCode = await run();
} catch (error) {
  tellFailure(error);
}
