import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { structuredCloudEvent } from '#kafka';
import { EventStore, Wakes } from '#log';
import { assert, type StreamType } from '#kernel';
import { firstRow } from '#platform';
import { DELIVERY_STATES } from '#webhook';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { problem } from '../shared/error-codes.js';
import { Idempotency } from '../shared/idempotency.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';
import type { AttemptAnswer, DeliveryAnswer } from './delivery-answer.js';

/** The maximum number of deliveries that one request sends again. */
const MAX_REDELIVERED = 10_000;

interface Period {
  readonly from: string;
  readonly to: string;
  readonly states: readonly string[];
}

const ALWAYS: Period = {
  from: '-infinity',
  to: 'infinity',
  states: DELIVERY_STATES.filter((state) => state !== 'pending'),
};

interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly subject: string;
  readonly version: number;
  readonly state: (typeof DELIVERY_STATES)[number];
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly streamType: StreamType;
  readonly attempts: readonly AttemptAnswer[];
}

const READ = `
  SELECT id, endpoint_id AS "endpointId", event_id AS "eventId", event_type AS "eventType",
         stream_id AS subject, version, state, created_at AS "createdAt", ended_at AS "endedAt",
         stream_type AS "streamType", attempts
    FROM webhook_deliveries WHERE id = $1 AND platform_id = $2`;

const REDELIVER = `SELECT redeliver_webhooks($1, $2, $3, $4, $5, $6, ${MAX_REDELIVERED}) AS requested`;

/** The deliveries of webhooks to platforms. */
@Injectable()
export class WebhookDeliveries {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly wakes: Wakes,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
  ) {}

  async read(caller: Caller, id: string): Promise<DeliveryAnswer> {
    const { streamType, ...delivery } = await this.own(caller, id);
    const stream = { streamType, streamId: delivery.subject };
    const [event] = await this.store.readStream(stream, delivery.version - 1, 1);
    assert(event !== undefined, 'a delivery is written after its event');
    return { ...delivery, event: structuredCloudEvent(event) };
  }

  /** Sends a delivery that has ended again. Throws `Problem` 409. */
  redeliver(request: ChangeRequest, id: string): Promise<Answer<{ readonly requested: number }>> {
    return this.idempotency.withReplay(request, async () => {
      const { endpointId } = await this.own(request.caller, id);
      const requested = await this.request(request, endpointId, id, ALWAYS);
      if (requested === 0) throw problem('delivery_in_progress');
      return this.idempotency.step(request, endpointId, 200, () => ({ requested }));
    });
  }

  /** Sends the deliveries of a period again. Throws `Rejection('webhook_endpoint_disabled')`. */
  redeliverPeriod(
    request: ChangeRequest,
    endpointId: string,
    period: Period,
  ): Promise<Answer<{ readonly requested: number }>> {
    return this.idempotency.withReplay(request, async () => {
      const requested = await this.request(request, endpointId, null, period);
      return this.idempotency.step(request, endpointId, 200, () => ({ requested }));
    });
  }

  /** Discards a failed delivery: the later events of its subject are sent. Throws `Problem` 409. */
  discard(request: ChangeRequest, id: string): Promise<Answer<{ readonly id: string }>> {
    return this.idempotency.withReplay(request, async () => {
      const { endpointId, state } = await this.own(request.caller, id);
      const row = await firstRow<{ done: boolean }>(
        this.pool,
        'SELECT discard_webhook($1, $2) AS done',
        [request.caller.platformId, id],
      );
      if (row?.done !== true) {
        const only = 'only a failed delivery can be discarded';
        throw problem('delivery_not_failed', {
          detail: `${only}: the state of the delivery is ${state}`,
        });
      }
      this.wakes.wake('jobs');
      return this.idempotency.step(request, endpointId, 200, () => ({ id }));
    });
  }

  private async own({ platformId }: Caller, id: string): Promise<DeliveryRow> {
    const row = await firstRow<DeliveryRow>(this.pool, READ, [id, platformId]);
    if (row === undefined) throw noSuch('webhook_delivery');
    return row;
  }

  private async request(
    { caller }: ChangeRequest,
    endpointId: string,
    delivery: string | null,
    { from, to, states }: Period,
  ): Promise<number> {
    const endpoint = await this.tenancy.webhook_endpoint(caller, endpointId);
    if (endpoint.status === 'disabled') throw problem('webhook_endpoint_disabled');
    const values = [caller.platformId, endpointId, delivery, from, to, states];
    const row = await firstRow<{ requested: number }>(this.pool, REDELIVER, values);
    this.wakes.wake('jobs');
    return row?.requested ?? 0;
  }
}
