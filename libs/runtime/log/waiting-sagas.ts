import { firstRow } from '#platform';
import type { Pool, PoolClient } from 'pg';
import { Rejection, type StreamType } from '#kernel';
import { NEW_SAGA, type SavedSaga } from './log-storage.js';
import type { WaitingReactions } from './saga.js';
import { EMPTY_STEP, type Step } from './step.js';
import { commitCall, type CommitRow, keysOf, locksOf, sagaKeyOf } from './step-wire.js';

/** Identifies a saga instance. */
export interface SagaRef {
  readonly saga: string;
  readonly key: string;
}

/** A saga instance that failed to react, with its error and the number of its queued reactions. */
export interface WaitingSaga extends SagaRef {
  /** When the reaction is retried automatically; null: an operator must retry or discard it. */
  readonly retryAt: string | null;
  readonly failingSince: string;
  readonly attempts: number;
  readonly error: string;
  /** The number of queued reactions, including the failed reaction. */
  readonly waiting: number;
  /**
   * The event or deadline to which the instance failed to react: the event's id, or `<deadline
   * kind>@<due>`.
   */
  readonly stimulus: string;
  /** The event to which the instance failed to react; null for a deadline. */
  readonly event: {
    readonly streamType: StreamType;
    readonly streamId: string;
    readonly version: number;
    readonly type: string;
  } | null;
  /** The kind of the deadline to which the instance failed to react; null for an event. */
  readonly deadline: string | null;
}

/** A reaction that an operator discards. */
export interface Discard {
  readonly ref: SagaRef;
  /**
   * The event or deadline that the operator saw: if the instance now waits at a different event or
   * deadline, nothing is discarded.
   */
  readonly stimulus: string;
  readonly reason: string;
  /** `user:<id>` or `ops:<hash>`. */
  readonly actor: string;
}

const MAX_LISTED = 1_000;
/**
 * How long a process may take for a retry, in wall time; after that time another process claims the
 * instance.
 */
const CLAIM_MS = 30_000;

const LIST = `
  SELECT s.saga, s.key, nullif(s.retry_at, 'infinity') AS "retryAt", s.failing_since AS "failingSince", s.waiting,
         e.type, e.event_id AS "eventId"
    FROM sagas s
    LEFT JOIN events e ON e.stream_type = s.waiting #>> '{stimuli,0,streamType}'
                      AND e.stream_id = s.waiting #>> '{stimuli,0,streamId}'
                      AND e.version = (s.waiting #>> '{stimuli,0,version}')::int
   WHERE s.waiting IS NOT NULL`;

interface Row extends SagaRef {
  readonly retryAt: Date | null;
  readonly failingSince: Date;
  readonly waiting: WaitingReactions;
  readonly type: string | null;
  readonly eventId: string | null;
}

const fromRow = (row: Row): WaitingSaga => {
  const { saga, key, retryAt, failingSince, waiting, type, eventId } = row;
  const [first] = waiting.stimuli;
  return {
    saga,
    key,
    attempts: waiting.attempts,
    error: waiting.error,
    retryAt: retryAt?.toISOString() ?? null,
    failingSince: failingSince.toISOString(),
    waiting: waiting.stimuli.length,
    stimulus: first?.from === 'deadline' ? `${first.kind}@${first.dueAt}` : (eventId ?? 'unknown'),
    event:
      first?.from === 'event'
        ? {
            streamType: first.streamType,
            streamId: first.streamId,
            version: first.version,
            type: type ?? 'unknown',
          }
        : null,
    deadline: first?.from === 'deadline' ? first.kind : null,
  };
};

const RETRY_NOW = `
  UPDATE sagas SET retry_at = clock_timestamp()
   WHERE saga = $1 AND key = $2 AND waiting IS NOT NULL`;

const CLAIM = `
  UPDATE sagas s SET retry_at = clock_timestamp() + ${CLAIM_MS} * interval '1 millisecond'
    FROM (SELECT saga, key FROM sagas
           WHERE waiting IS NOT NULL AND retry_at <= clock_timestamp() AND saga = ANY ($2)
           ORDER BY retry_at LIMIT $1 FOR UPDATE SKIP LOCKED) due
   WHERE s.saga = due.saga AND s.key = due.key
  RETURNING s.saga, s.key`;

/** The saga instances that failed to react, shared by all processes. */
export class WaitingSagas {
  constructor(private readonly pool: Pool) {}

  /** The saga instances that failed to react, oldest failure first; at most 1000. */
  async list(): Promise<readonly WaitingSaga[]> {
    const { rows } = await this.pool.query<Row>(
      `${LIST} ORDER BY s.failing_since LIMIT ${MAX_LISTED}`,
    );
    return rows.map(fromRow);
  }

  /** @throws Rejection `not_blocked` */
  async get(ref: SagaRef): Promise<WaitingSaga> {
    const row = await firstRow<Row>(this.pool, `${LIST} AND s.saga = $1 AND s.key = $2`, [
      ref.saga,
      ref.key,
    ]);
    if (row === undefined) throw notWaiting(ref);
    return fromRow(row);
  }

  /** For each saga: how many instances are being retried, and how many wait for an operator. */
  async counts(): Promise<readonly { saga: string; retrying: number; blocked: number }[]> {
    const { rows } = await this.pool.query<{ saga: string; retrying: number; blocked: number }>(
      `SELECT saga, count(*) FILTER (WHERE retry_at < 'infinity')::int AS retrying,
              count(*) FILTER (WHERE retry_at = 'infinity')::int AS blocked
         FROM sagas WHERE waiting IS NOT NULL GROUP BY saga`,
    );
    return rows;
  }

  /** Claims for half a minute up to `limit` instances of these sagas whose retry is due. */
  async claim(limit: number, sagas: readonly string[]): Promise<readonly SagaRef[]> {
    const { rows } = await this.pool.query<SagaRef>({
      name: 'claim-reactions',
      text: CLAIM,
      values: [limit, sagas],
    });
    return rows;
  }

  /** Makes the retry of an instance due now. @throws Rejection `not_blocked` */
  async retry(ref: SagaRef, client: Pool | PoolClient = this.pool): Promise<void> {
    const { rowCount } = await client.query(RETRY_NOW, [ref.saga, ref.key]);
    if (rowCount !== 1) throw notWaiting(ref);
  }

  /**
   * Discards the first queued reaction without an effect, and makes the next reaction due, in the
   * caller's transaction. The reason and the operator are stored permanently in the same
   * transaction.
   * @throws Rejection `not_blocked`, or `already_reacted` if the first reaction is not the reaction
   * that the operator saw.
   */
  async discard(client: PoolClient, { ref, stimulus, reason, actor }: Discard): Promise<void> {
    const { saga, key } = ref;
    // Makes all other steps of this saga instance wait until the transaction has ended.
    await client.query('SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key', [
      locksOf([sagaKeyOf(ref)]),
    ]);
    const row = await firstRow<Row>(client, `${LIST} AND s.saga = $1 AND s.key = $2`, [saga, key]);
    if (row === undefined) throw notWaiting(ref);
    const found = fromRow(row);
    if (found.stimulus !== stimulus) throw alreadyReacted(ref);
    const sql = 'SELECT version, state, done, waiting FROM sagas WHERE saga = $1 AND key = $2';
    const saved = (await firstRow<SavedSaga>(client, sql, [saga, key])) ?? NEW_SAGA;
    const left = saved.waiting?.stimuli.slice(1) ?? [];
    const waiting = left.length === 0 ? null : { stimuli: left, attempts: 0, error: '' };
    const step: Step = {
      ...EMPTY_STEP,
      sagas: [
        {
          ...ref,
          expectedVersion: saved.version,
          write: { state: saved.state, done: saved.done, waiting, retryAfterMs: 0 },
        },
      ],
    };
    const answer = await firstRow<CommitRow>(client, commitCall([step], keysOf(step), null));
    if (answer?.conflicts) throw alreadyReacted(ref);
    await client.query(
      `INSERT INTO discarded_reactions
              (saga, key, stream_type, stream_id, version, stimulus, error, reason, actor)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ref.saga,
        ref.key,
        found.event?.streamType ?? null,
        found.event?.streamId ?? null,
        found.event?.version ?? null,
        found.event?.type ?? found.deadline,
        found.error,
        reason,
        actor,
      ],
    );
  }
}

const notWaiting = ({ saga, key }: SagaRef): Rejection =>
  new Rejection('not_blocked', `the workflow ${saga} of ${key} is not blocked`);

const alreadyReacted = ({ saga, key }: SagaRef): Rejection =>
  new Rejection(
    'already_reacted',
    `the workflow ${saga} of ${key} now fails at a different event: nothing was discarded; check the new event first`,
  );
