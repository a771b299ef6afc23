import type { Pool, PoolClient } from 'pg';
import { inTransaction, receiveWithin, type StreamRef, StepSuperseded, type StreamType } from '#event-store';
import { Rejection } from '#kernel';
import type { EventMessage } from './cloud-event.js';

/** A stream that a consumer cannot get past; its later messages wait in the log. */
export interface ParkedKey {
  readonly consumer: string;
  readonly streamType: StreamType;
  readonly streamId: string;
  /** The version that could not be taken. */
  readonly version: number;
  readonly eventType: string;
  readonly error: string;
  readonly parkedAt: string;
  /** How often it was tried and parked. */
  readonly tries: number;
  readonly releaseRequestedAt: string | null;
}

/** Which parked stream is meant. */
export interface ParkedRef extends StreamRef {
  readonly consumer: string;
}

/** A parked message that somebody has decided to go past. */
export interface Skip {
  readonly ref: ParkedRef;
  /** The one that was looked at: another that is parked by now is not passed over. */
  readonly version: number;
  readonly reason: string;
  /** `user:<id>` or `ops:<hash>`. */
  readonly actor: string;
}

interface ParkedRow {
  readonly consumer: string;
  readonly stream_type: StreamType;
  readonly stream_id: string;
  readonly version: number;
  readonly event_type: string;
  readonly error: string;
  readonly parked_at: Date;
  readonly tries: number;
  readonly release_requested_at: Date | null;
}

const fromRow = (row: ParkedRow): ParkedKey => ({
  consumer: row.consumer,
  streamType: row.stream_type,
  streamId: row.stream_id,
  version: row.version,
  eventType: row.event_type,
  error: row.error,
  parkedAt: row.parked_at.toISOString(),
  tries: row.tries,
  releaseRequestedAt: row.release_requested_at?.toISOString() ?? null,
});

const MAX_LISTED = 1_000;
const MAX_ERROR_CHARS = 4_000;
const THIS_KEY = 'consumer = $1 AND stream_type = $2 AND stream_id = $3';

const ASK_RELEASE =
  `UPDATE parked_keys SET release_requested_at = clock_timestamp() WHERE ${THIS_KEY}`;

const keyValues = ({ consumer, streamType, streamId }: ParkedRef): string[] =>
  [consumer, streamType, streamId];

const errorText = (error: unknown): string => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.slice(0, MAX_ERROR_CHARS);
};

/** The parked streams of all consumers. */
export class ParkedKeys {
  constructor(private readonly pool: Pool) {}

  /** Oldest first, at most 1000. */
  async list(consumer?: string): Promise<readonly ParkedKey[]> {
    const { rows } = await this.pool.query<ParkedRow>(
      `SELECT * FROM parked_keys WHERE $1::text IS NULL OR consumer = $1
        ORDER BY parked_at LIMIT ${MAX_LISTED}`,
      [consumer ?? null],
    );
    return rows.map(fromRow);
  }

  /**
   * Parks the stream before `message`, unless somebody else has taken it past `previous` meanwhile.
   * A stream that is parked again waits for a new request to be released. Answers whether it is.
   */
  async park(
    consumer: string, message: EventMessage, previous: number, error: unknown,
  ): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `INSERT INTO parked_keys AS p (consumer, stream_type, stream_id, version, event_type, error)
       SELECT $1, $2, $3, $4, $5, $6
        WHERE $7::integer = coalesce((SELECT version FROM inbox WHERE ${THIS_KEY}), 0)
       ON CONFLICT (consumer, stream_type, stream_id) DO UPDATE
          SET version = excluded.version, event_type = excluded.event_type,
              error = excluded.error, tries = p.tries + 1, release_requested_at = NULL`,
      [
        consumer, message.streamType, message.streamId, message.version, message.type,
        errorText(error), previous,
      ],
    );
    return rowCount === 1;
  }

  /** The stream where it is parked. @throws Rejection `not_parked` */
  async get(ref: ParkedRef): Promise<ParkedKey> {
    const { rows: [row] } = await this.pool.query<ParkedRow>(
      `SELECT * FROM parked_keys WHERE ${THIS_KEY}`, keyValues(ref));
    if (row === undefined) throw notParked(ref);
    return fromRow(row);
  }

  /** Asks that the stream be tried again. @throws Rejection `not_parked` */
  async requestRelease(ref: ParkedRef, client: Pool | PoolClient = this.pool): Promise<void> {
    const { rowCount } = await client.query(ASK_RELEASE, keyValues(ref));
    if (rowCount !== 1) throw notParked(ref);
  }

  /**
   * Goes past the message that cannot be taken, without its effect, and asks for the release of
   * those after it, in the caller's transaction. The reason and who gave it are kept for ever, in
   * the same one: there is no skip without them, and none of them without a skip. A record that is
   * there all the same is of a skip that never was, and gives way.
   *
   * @throws Rejection `not_parked`, or `already_taken` when somebody was faster, or the stream is
   *   parked at another version.
   */
  async skip(
    client: PoolClient, { ref, version: seen, reason, actor }: Skip,
  ): Promise<void> {
    await lock(client, ref);
    const place = await client.query<{ version: number; previous: number }>(
      `SELECT version, coalesce((SELECT version FROM inbox WHERE ${THIS_KEY}), 0) AS previous
         FROM parked_keys WHERE ${THIS_KEY}`,
      keyValues(ref),
    );
    const row = place.rows[0];
    if (!row) throw notParked(ref);
    if (row.version !== seen || row.previous >= seen) throw alreadyTaken(ref, seen);
    try {
      await receiveWithin(client, { ...ref, ...row });
    } catch (error) {
      if (!(error instanceof StepSuperseded)) throw error;
      throw alreadyTaken(ref, seen);
    }
    await client.query(
      `INSERT INTO skipped_messages
              (consumer, stream_type, stream_id, version, event_type, error, reason, actor)
       SELECT consumer, stream_type, stream_id, version, event_type, error, $4, $5
         FROM parked_keys WHERE ${THIS_KEY}
       ON CONFLICT (consumer, stream_type, stream_id, version) DO UPDATE
          SET event_type = excluded.event_type, error = excluded.error,
              reason = excluded.reason, actor = excluded.actor, skipped_at = excluded.skipped_at`,
      [...keyValues(ref), reason, actor],
    );
    await client.query(ASK_RELEASE, keyValues(ref));
  }

  /**
   * The streams of a consumer that are to be tried again: those asked for, and those that another
   * process got past while they were being parked.
   */
  async toRelease(consumer: string, limit: number): Promise<readonly ParkedRef[]> {
    const { rows } = await this.pool.query<{ stream_type: StreamType; stream_id: string }>(
      `SELECT p.stream_type, p.stream_id FROM parked_keys p
         LEFT JOIN inbox i USING (consumer, stream_type, stream_id)
        WHERE p.consumer = $1
          AND (p.release_requested_at IS NOT NULL OR i.version >= p.version)
        ORDER BY p.parked_at LIMIT $2`,
      [consumer, limit],
    );
    return rows.map((row) => ({ consumer, streamType: row.stream_type, streamId: row.stream_id }));
  }

  /**
   * Takes the row away if the inbox has come to the end of the stream. The row is locked first and
   * the log looked into by the next statement, with a new snapshot: a consumer that has passed a
   * message over before the lock had read it from the topic, so it is in the log that we see; one
   * that looks during the lock waits, finds no row and takes the message itself.
   */
  releaseIfCaughtUp(ref: ParkedRef): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      await lock(client, ref);
      const { rowCount } = await client.query(
        `DELETE FROM parked_keys
          WHERE ${THIS_KEY}
            AND (SELECT coalesce(max(version), 0) FROM events
                  WHERE stream_type = $2 AND stream_id = $3)
                <= coalesce((SELECT version FROM inbox WHERE ${THIS_KEY}), 0)`,
        keyValues(ref),
      );
      return rowCount === 1;
    });
  }
}

/** One release or skip of a stream at a time, to the end of the transaction. */
const lock = async (client: PoolClient, ref: ParkedRef): Promise<void> => {
  await client.query(`SELECT FROM parked_keys WHERE ${THIS_KEY} FOR UPDATE`, keyValues(ref));
};

const alreadyTaken = ({ consumer, streamType, streamId }: ParkedRef, version: number): Rejection =>
  new Rejection('already_taken',
    `${consumer} does not wait at version ${version} of ${streamType} ${streamId}: not skipped`);

const notParked = ({ consumer, streamType, streamId }: ParkedRef): Rejection =>
  new Rejection('not_parked', `${consumer} has not parked ${streamType} ${streamId}`);
