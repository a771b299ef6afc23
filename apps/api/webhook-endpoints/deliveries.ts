import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Wakes } from '#log';
import { firstRow } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { problem } from '../shared/error-codes.js';
import { Idempotency } from '../shared/idempotency.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';
import type { DeliveryAnswer } from './delivery-answer.js';

/** The maximum number of deliveries that one request sends again. */
const MAX_REDELIVERED = 10_000;

interface Period {
  readonly from: string;
  readonly to: string;
  readonly states: readonly string[];
}

interface Redelivery {
  readonly requested: number;
  /**
   * The creation time of the newest delivery that the request sends again; null if it sends none.
   */
  readonly last: Date | null;
}

const READ = `
  SELECT id, endpoint_id AS "endpointId", event_id AS "eventId", event_type AS "eventType",
         stream_id AS subject, version, state, attempts, created_at AS "createdAt",
         ended_at AS "endedAt"
    FROM webhook_deliveries WHERE id = $1 AND platform_id = $2`;

const REDELIVER = `
  SELECT requested, last FROM redeliver_webhooks($1, $2, $3, $4, $5, ${MAX_REDELIVERED})`;

/**
 * The deliveries of webhooks to platforms. After a crash between a change and the storage of its
 * response, a repeated request makes the change again.
 */
@Injectable()
export class WebhookDeliveries {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly wakes: Wakes,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
  ) {}

  async read({ platformId }: Caller, id: string): Promise<DeliveryAnswer> {
    const row = await firstRow<DeliveryAnswer>(this.pool, READ, [id, platformId]);
    if (row === undefined) throw noSuch('webhook_delivery');
    return row;
  }

  /**
   * Sends a delivery again; a delivery that waits for its next attempt is sent now. Throws
   * `Problem` 409.
   */
  redeliver(request: ChangeRequest, id: string): Promise<Answer<{ readonly id: string }>> {
    return this.change(request, id, async (platformId, endpointId) => {
      await this.mustBeEnabled(request.caller, endpointId);
      await this.pool.query('SELECT redeliver_webhook($1, $2)', [platformId, id]);
    });
  }

  /**
   * Discards a delivery, so that the later events of the same stream are delivered. Throws
   * `Problem` 409.
   */
  discard(request: ChangeRequest, id: string): Promise<Answer<{ readonly id: string }>> {
    return this.change(request, id, async (platformId) => {
      const statement = 'SELECT discard_webhook($1, $2) AS state';
      const row = await firstRow<{ state: string }>(this.pool, statement, [platformId, id]);
      if (row?.state === 'delivered') throw problem('delivery_succeeded');
    });
  }

  /** Sends the deliveries of a period again. Throws `Problem` 409. */
  redeliverPeriod(
    request: ChangeRequest,
    endpointId: string,
    { from, to, states }: Period,
  ): Promise<Answer<{ readonly requested: number; readonly nextFrom: string | null }>> {
    const check = () => this.mustBeEnabled(request.caller, endpointId);
    const work = async () => {
      const values = [request.caller.platformId, endpointId, from, to, states];
      const { requested, last } = (await firstRow<Redelivery>(this.pool, REDELIVER, values)) ?? {
        requested: 0,
        last: null,
      };
      this.wakes.wake('jobs');
      const nextFrom = requested === MAX_REDELIVERED ? (last?.toISOString() ?? null) : null;
      return this.idempotency.step(request, endpointId, 200, () => ({ requested, nextFrom }));
    };
    return this.idempotency.withLock(request, work, check);
  }

  /** Makes a change under the lock of the request's Idempotency-Key, and stores the response. */
  private change(
    request: ChangeRequest,
    id: string,
    make: (platformId: string, endpointId: string) => Promise<void>,
  ): Promise<Answer<{ readonly id: string }>> {
    const check = () => this.read(request.caller, id);
    const work = async () => {
      const { endpointId } = await check();
      await make(request.caller.platformId, endpointId);
      this.wakes.wake('jobs');
      return this.idempotency.step(request, endpointId, 200, () => ({ id }));
    };
    return this.idempotency.withLock(request, work, check);
  }

  private async mustBeEnabled(caller: Caller, endpointId: string): Promise<void> {
    const { status } = await this.tenancy.liveEndpoint(caller, endpointId);
    if (status === 'disabled') throw problem('webhook_endpoint_disabled');
  }
}
