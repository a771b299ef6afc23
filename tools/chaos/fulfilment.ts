import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { waitFor } from '#testing';
import type { RunningApp } from '../infra/apps.mjs';

/**
 * The time limit for the service to handle an event. It includes ten seconds until the broker
 * regards a killed consumer as dead and, on a busy machine, another ten seconds until the restarted
 * service has joined its consumer group.
 */
const AT_WORK_WITHIN_MS = 40_000;
const POLL_EVERY_MS = 10;
/**
 * The maximum delay of a kill after a commit. The service is then probably handling the next event.
 */
const MAX_AMID_WORK_MS = 60;

/**
 * A number that changes when the service commits; null while the service's database does not
 * respond.
 */
const progressOf = (pool: pg.Pool): Promise<string | null> =>
  pool.query<{ sum: string | null }>('SELECT sum(version) FROM subscriber_streams').then(
    ({ rows }) => rows[0]?.sum ?? '0',
    () => null,
  );

/**
 * Resolves with true `afterMs` after the service has committed, while it is probably handling the
 * next event. Resolves with false when `isOver` returns true, or when the service commits nothing
 * in time.
 */
export const untilAtWork = async (
  url: string,
  isOver: () => boolean,
  afterMs: number,
): Promise<boolean> => {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => undefined); // The database server may have been killed, too; the query is then retried.
  try {
    const untilMs = Date.now() + AT_WORK_WITHIN_MS;
    let before: string | null = null;
    while (!isOver() && Date.now() < untilMs) {
      const now = await progressOf(pool);
      if (now !== null && before !== null && now !== before) {
        await sleep(afterMs % MAX_AMID_WORK_MS);
        return true;
      }
      before = now ?? before;
      await sleep(POLL_EVERY_MS);
    }
    return false;
  } finally {
    await pool.end();
  }
};

/**
 * The metrics of the fulfilment service. Its counters start at zero each time the service starts.
 */
export interface FulfilmentMetrics {
  readonly lag: number;
  readonly handled: number;
  readonly unconfirmed: number;
  readonly foreign: number;
  readonly undecodable: number;
}

const metricsOf = async (service: RunningApp): Promise<FulfilmentMetrics> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const valueOf = (begin: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(begin));
    return line === undefined ? NaN : Number(line.split(' ').at(-1));
  };
  const countOf = (outcome: string): number =>
    valueOf(`subscriber_messages_total{subscriber="fulfilment",outcome="${outcome}"}`);
  return {
    lag: valueOf('subscriber_lag_messages'),
    handled: countOf('handled'),
    unconfirmed: countOf('unconfirmed'),
    foreign: countOf('foreign'),
    undecodable: countOf('undecodable'),
  };
};

const AT_REST_WITHIN_MS = 120_000;

/** Waits until the service has handled every message; returns its metrics. */
export const fulfilmentAtRest = async (service: RunningApp): Promise<FulfilmentMetrics> => {
  const isThrough = async () => (await metricsOf(service)).lag === 0;
  await waitFor(isThrough, { timeoutMs: AT_REST_WITHIN_MS, everyMs: 200 }).catch(() => undefined);
  return metricsOf(service);
};

/** The log lines about messages that the service dropped, including those before its restarts. */
export const droppedMessages = ({ logFile }: RunningApp): readonly string[] =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(' is dropped"'));
