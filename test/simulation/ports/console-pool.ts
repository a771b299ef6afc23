import { assert, MINUTE_MS } from '#kernel';
import type { Pool } from 'pg';
import type { SimulatedDatabase } from './database.js';
import type { Exchange } from './exchange.js';

/** The quiet period after which a failed request can no longer reach the provider. */
const QUIET_MS = 15 * MINUTE_MS;

type Rows = readonly object[];

interface Statement {
  /** A part of the SQL text by which the statement is recognised. */
  readonly contains: string;
  readonly effect: (database: SimulatedDatabase, values: readonly unknown[]) => Rows;
}

const stuckJob = (database: SimulatedDatabase, key: string): Rows => {
  const job = database.calls().find((one) => one.key === key && one.state === 'stuck');
  if (job === undefined) return [];
  const { kind, subjectId, accountId, claim, stuckSinceMs } = job;
  const requested = database.events.find((row) => row.event_id === key);
  const requestId = (requested?.data as { requestId?: string } | undefined)?.requestId ?? null;
  const isQuiet = stuckSinceMs < database.nowMs() - QUIET_MS;
  return [{ kind, subjectId, accountId, claim, isQuiet, requestId }];
};

/** The SQL statements of the console's actions that the operators of a simulation use. */
const STATEMENTS: readonly Statement[] = [
  {
    contains: 'AS "isQuiet"',
    effect: (database, [key]) => stuckJob(database, String(key)),
  },
  {
    contains: 'FROM idempotency_keys',
    effect: (database, [scope, key]) => {
      const answer = database.answerOf(String(scope), String(key));
      return answer === undefined ? [] : [answer];
    },
  },
  {
    contains: "note = left('released: '",
    effect: (database, [key]) => (database.releaseStuck(String(key)) ? [{}] : []),
  },
  {
    contains: 'UPDATE sagas SET retry_at',
    effect: (database, [saga, key]) => (database.retryNow(String(saga), String(key)) ? [{}] : []),
  },
  // These tables are empty, because no simulated database is ever restored.
  { contains: 'FROM log_restores', effect: () => [] },
  { contains: 'FROM lost_debits', effect: () => [] },
];

/**
 * Simulates the database connections of the console's actions. A statement that is not simulated
 * fails, because otherwise an action could lack an effect here that it has on PostgreSQL.
 */
export const consolePool = (database: SimulatedDatabase, exchange: Exchange): Pool => {
  const query = (
    statement: string | { readonly text: string; readonly values?: readonly unknown[] },
    given: readonly unknown[] = [],
  ): Promise<{ readonly rows: Rows; readonly rowCount: number }> => {
    const { text, values = [] } =
      typeof statement === 'string' ? { text: statement, values: given } : statement;
    const known = STATEMENTS.find(({ contains }) => text.includes(contains));
    assert(known, `the statement is simulated: ${text}`);
    return exchange('console statement', 'plain', () => {
      const rows = known.effect(database, values);
      return { rows, rowCount: rows.length };
    });
  };
  return { query } as unknown as Pool;
};
