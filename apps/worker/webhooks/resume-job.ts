import type { Job, JobEnd, JobHold, JobKind } from '#jobs';
import { assert, type Clock } from '#kernel';
import { firstRow } from '#platform';
import type { Pool } from 'pg';

interface Chunks {
  /** The number of streams whose jobs one transaction requests. */
  readonly streams: number;
  /** The number of transactions of one run. */
  readonly perRun: number;
}

const CHUNKS: Chunks = { streams: 1_000, perRun: 20 };

/**
 * Requests the jobs of the first streams after $2 with pending deliveries to endpoint $1. Each of
 * these deliveries begins a new series of attempts. Rows are locked in the same sequence as by
 * `redeliver_webhooks`, to avoid deadlocks: deliveries by age, then jobs by stream.
 */
const RESUME = `
  WITH streams AS (
    SELECT DISTINCT stream_id FROM webhook_deliveries
     WHERE endpoint_id = $1 AND state = 'pending' AND stream_id > $2
     ORDER BY stream_id LIMIT $3),
  tried AS (
    SELECT d.id FROM webhook_deliveries d JOIN streams s ON s.stream_id = d.stream_id
     WHERE d.endpoint_id = $1 AND d.state = 'pending' AND d.tries > 0
     ORDER BY d.created_at, d.id FOR UPDATE OF d),
  restarted AS (
    UPDATE webhook_deliveries d SET tries = 0 FROM tried t WHERE d.id = t.id RETURNING d.id),
  due AS MATERIALIZED (
    SELECT request_webhooks($1, s.stream_id)
      FROM (SELECT stream_id FROM streams WHERE (SELECT count(*) FROM restarted) >= 0
             ORDER BY stream_id) s)
  SELECT (SELECT max(stream_id) FROM streams) AS last WHERE (SELECT count(*) FROM due) >= 0`;

/**
 * Requests the jobs of all pending deliveries to an endpoint that was enabled, stream by stream. A
 * trigger adds this job in the transaction of the event `WebhookEndpointEnabled`. The key of the
 * job is the id of the endpoint, a space, and the version of the event, so that each event starts a
 * new job at the first stream.
 */
export class ResumeJob implements JobKind {
  readonly kind = 'webhook.resume';
  readonly lane = 'webhooks';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly onDue: () => void,
    private readonly chunks = CHUNKS,
  ) {}

  readonly run = async ({ key, progress }: Job, { stillHeld }: JobHold): Promise<JobEnd> => {
    const [endpointId] = key.split(' ');
    assert(endpointId !== undefined, 'the key names the endpoint');
    let after = typeof progress['after'] === 'string' ? progress['after'] : '';
    for (let chunk = 0; chunk < this.chunks.perRun; chunk += 1) {
      stillHeld();
      const values = [endpointId, after, this.chunks.streams];
      const row = await firstRow<{ last: string | null }>(this.pool, RESUME, values);
      if (row === undefined || row.last === null) return { next: 'done' };
      after = row.last;
      this.onDue();
    }
    return { next: 'again', dueAt: this.clock.now(), progress: { after } };
  };
}
