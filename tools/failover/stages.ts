import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { assert } from '#kernel';
import { waitFor } from '#testing';
import type { RunningKafka } from '../infra/kafka.mjs';
import type { KafkaCluster } from './kafka-cluster.js';
import type { ReplicatedPostgres } from './replicated-postgres.js';

const WITHIN_MS = 120_000;
/** How long the standby stores nothing. No order may be accepted during this time. */
const NOT_REPLICATED_MS = 6_000;
/**
 * How long the test waits before it checks that the relay has published nothing. The relay retries
 * within this time.
 */
const RELAY_RETRIES_MS = 10_000;

export interface Parts {
  readonly postgres: ReplicatedPostgres;
  readonly kafka: KafkaCluster;
  readonly log: pg.Pool;
  /** Places an order that is never paid; resolves when it was accepted. */
  readonly place: () => Promise<void>;
}

/** A failure of servers while orders run. */
export interface Stage {
  readonly title: string;
  /**
   * Causes the failure, and returns the measurement as text. Orders run until this function ends.
   */
  readonly fail: (parts: Parts) => Promise<string>;
  /** Ends the failure after all orders of the stage have ended. */
  readonly heal?: (parts: Parts) => Promise<string>;
}

/** Selects the events that the relay has published, according to its cursor. */
const IS_PASSED = `EXISTS (SELECT FROM log_cursors c WHERE c.name = 'relay'
  AND (c.epoch, c.transaction_id, c.position) >= (e.epoch, e.transaction_id, e.position))`;

/**
 * The seconds from a time until the first later event in the log that fulfils the SQL condition.
 */
const secondsUntil = (log: pg.Pool, from: Date, condition: string): Promise<string> =>
  waitFor(
    async () => {
      const { rows } = await log.query<{ seconds: string | null }>(
        `SELECT round(extract(epoch FROM min(recorded_at) - $1), 1)::text AS seconds
           FROM events e WHERE recorded_at > $1 AND ${condition}`,
        [from],
      );
      return rows[0]?.seconds ?? null;
    },
    { timeoutMs: WITHIN_MS },
  );

/**
 * The seconds from a time until the relay has published an event that was committed after this
 * time.
 */
const secondsUntilPublished = async (log: pg.Pool, from: Date): Promise<string> => {
  await secondsUntil(log, from, IS_PASSED);
  return ((Date.now() - from.getTime()) / 1_000).toFixed(1);
};

/** Throws if the relay's cursor has passed an event that was committed after this time. */
const requireUnpublished = async (log: pg.Pool, from: Date): Promise<string> => {
  const { rows } = await log.query<{ all: number; passed: number }>(
    `SELECT count(*)::int AS all, count(*) FILTER (WHERE ${IS_PASSED})::int AS passed
       FROM events e WHERE recorded_at > $1`,
    [from],
  );
  const { all = 0, passed = 0 } = rows[0] ?? {};
  assert(all > 0, 'events are committed while the brokers are down');
  assert(
    passed === 0,
    `the relay has passed ${passed} of ${all} events that only one broker could have stored`,
  );
  return `none of ${all} events published`;
};

/**
 * Executes `fail` and `heal` for one broker after another. Waits each time until all brokers are in
 * sync again.
 */
const inTurn = async (
  { kafka, log }: Parts,
  fail: (broker: RunningKafka) => Promise<void>,
  heal: (broker: RunningKafka) => Promise<void>,
): Promise<string> => {
  const waits: string[] = [];
  for (const broker of kafka.members) {
    await fail(broker);
    // Waits for an event that is committed after the failure.
    const at = new Date();
    waits.push(await secondsUntilPublished(log, at));
    await heal(broker);
    await kafka.untilInSync();
  }
  return `next event published after ${waits.join(', ')} s`;
};

const signal = (broker: RunningKafka, name: NodeJS.Signals): Promise<void> => {
  assert(broker.pid !== undefined, 'the broker runs');
  process.kill(broker.pid, name);
  return Promise.resolve();
};

/**
 * Places an order while the standby stores nothing. Throws if the order is accepted meanwhile,
 * because a standby that is then promoted might lack the order.
 */
const requireReplication = async ({ postgres, place }: Parts): Promise<void> => {
  let isAccepted = false;
  let placing: Promise<void> | undefined;
  await postgres.whileNotReplicated(async () => {
    placing = place().then(() => {
      isAccepted = true;
    });
    placing.catch(() => undefined); // Awaited below.
    await sleep(NOT_REPLICATED_MS);
    assert(!isAccepted, 'no order is accepted before the standby has stored it');
  });
  await placing;
};

export const STAGES: readonly Stage[] = [
  {
    title: 'PostgreSQL: the primary is killed, its synchronous standby is promoted',
    fail: async (parts) => {
      const { postgres, log } = parts;
      await requireReplication(parts);
      const killedAt = await postgres.failOver();
      const placed = await secondsUntil(log, killedAt, `type = 'OrderPlaced'`);
      const paid = await secondsUntil(log, killedAt, `type = 'OrderPaid'`);
      return (
        `no order accepted for ${NOT_REPLICATED_MS / 1_000} s without the standby; after the kill, ` +
        `next order accepted after ${placed} s, next order paid after ${paid} s`
      );
    },
  },
  {
    title: 'Kafka: each of three brokers is killed in turn',
    fail: (parts) =>
      inTurn(
        parts,
        (broker) => broker.kill9(),
        (broker) => broker.restart(),
      ),
  },
  {
    title: 'Kafka: each broker is stopped and started in turn',
    fail: (parts) =>
      inTurn(
        parts,
        (broker) => broker.restart(),
        () => Promise.resolve(),
      ),
  },
  {
    title: 'Kafka: each broker hangs in turn',
    fail: (parts) =>
      inTurn(
        parts,
        (broker) => signal(broker, 'SIGSTOP'),
        (broker) => signal(broker, 'SIGCONT'),
      ),
  },
  {
    title: 'Kafka: two of three brokers are down',
    fail: async ({ kafka, log }) => {
      await Promise.all(kafka.members.slice(1).map((broker) => broker.kill9()));
      const at = new Date();
      await kafka.untilFirstIsAlone();
      const aloneAt = new Date();
      const paid = await secondsUntil(log, aloneAt, `type = 'OrderPaid'`);
      await sleep(RELAY_RETRIES_MS);
      return `next order paid after ${paid} s, ${await requireUnpublished(log, at)}`;
    },
    heal: async ({ kafka, log }) => {
      const at = new Date();
      await Promise.all(kafka.members.slice(1).map((broker) => broker.restart()));
      return `events published ${await secondsUntilPublished(log, at)} s after their restart`;
    },
  },
];
