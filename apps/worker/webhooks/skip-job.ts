import type { Job, JobEnd, JobHold, JobKind } from '#jobs';
import type { Clock } from '#kernel';
import type { Pool } from 'pg';

interface Chunks {
  /** The number of deliveries that one transaction ends. */
  readonly deliveries: number;
  /** The number of transactions of one run. */
  readonly perRun: number;
}

const CHUNKS: Chunks = { deliveries: 1_000, perRun: 20 };

const SKIP = `
  UPDATE webhook_deliveries d SET state = 'skipped', ended_at = clock_timestamp()
    FROM (SELECT id FROM webhook_deliveries
           WHERE endpoint_id = $1 AND state IN ('pending', 'failed')
           ORDER BY stream_id, version LIMIT $2 FOR UPDATE) open
   WHERE d.id = open.id`;

/**
 * Ends the open deliveries to a deleted endpoint without sending them. A trigger adds this job in
 * the transaction of the event `WebhookEndpointDeleted`; its key is the id of the endpoint.
 */
export class SkipJob implements JobKind {
  readonly kind = 'webhook.skip';
  readonly lane = 'webhooks';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly chunks = CHUNKS,
  ) {}

  readonly run = async ({ key }: Job, { stillHeld }: JobHold): Promise<JobEnd> => {
    for (let chunk = 0; chunk < this.chunks.perRun; chunk += 1) {
      stillHeld();
      const { rowCount } = await this.pool.query(SKIP, [key, this.chunks.deliveries]);
      if (rowCount === null || rowCount < this.chunks.deliveries) return { next: 'done' };
    }
    return { next: 'again', dueAt: this.clock.now() };
  };
}
