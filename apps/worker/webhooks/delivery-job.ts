import { randomInt } from 'node:crypto';
import type { Job, JobEnd, JobHold, JobKind, JobTable } from '#jobs';
import { STRUCTURED_MEDIA_TYPE, structuredCloudEvent } from '#kafka';
import { type EventStore, type RecordedEvent, untraced } from '#log';
import { assert, type Clock, type Instant, plusMs } from '#kernel';
import {
  continueFrom,
  failActiveSpan,
  type GuardedPost,
  inSpan,
  type Logger,
  POST_ABORTED,
  type PostResult,
} from '#platform';
import {
  type DisabledReason,
  endpointAggregate,
  MAX_ATTEMPTS,
  retryDelayMs,
  shouldDisable,
  signedHeaders,
  TEST_EVENT,
} from '#webhook';
import { DELIVER } from './delivery-feed.js';
import type { Head, OpenDeliveries } from './open-deliveries.js';

/**
 * The maximum number of deliveries that one run of the job sends, and the time after which the run
 * begins no further delivery.
 */
const MAX_SENT = { deliveries: 20, ms: 15_000 };

/** The HTTP status by which a receiver requests that no more webhooks are sent. */
const UNSUBSCRIBED = 410;

const isReceived = (result: PostResult): boolean =>
  result.kind === 'http' && result.status >= 200 && result.status < 300;

/** Whether the request was aborted because this worker stops; such an attempt does not count. */
const isAborted = (result: PostResult): boolean =>
  result.kind === 'error' && result.error === POST_ABORTED;

/** From 0 (inclusive) to 1 (exclusive). */
const random = (): number => randomInt(1_000_000) / 1_000_000;

/** The endpoint and the stream of a job. */
const placeOf = ({ key }: Job): readonly [endpointId: string, streamId: string] => {
  const [endpointId, streamId] = key.split(' ');
  assert(endpointId !== undefined && streamId !== undefined, 'the key names endpoint and stream');
  return [endpointId, streamId];
};

/**
 * Sends the open deliveries of one stream to one endpoint, the oldest version first. Each delivery
 * is repeated until the endpoint confirms it or its attempts are exhausted. A delivery whose
 * attempts are exhausted delays the later deliveries of the stream until the platform requests its
 * redelivery or discards it.
 */
export class DeliveryJob implements JobKind {
  readonly kind = DELIVER;
  readonly lane = 'webhooks';

  constructor(
    private readonly store: EventStore,
    private readonly deliveries: OpenDeliveries,
    private readonly table: Pick<JobTable, 'end'>,
    private readonly post: Pick<GuardedPost, 'send'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  readonly run = async (job: Job, { stillHeld }: JobHold): Promise<JobEnd> => {
    const [endpointId, streamId] = placeOf(job);
    const lastMs = this.nowMs() + MAX_SENT.ms;
    for (let sent = 0; sent < MAX_SENT.deliveries && this.nowMs() < lastMs; sent += 1) {
      const head = await this.deliveries.head(endpointId, streamId, this.clock.now());
      if (head === null || head.state === 'failed') return { next: 'done' };
      if (head.status !== 'enabled') {
        // The deliveries to a disabled endpoint stay pending. Their jobs are requested when the
        // endpoint is enabled again.
        if (head.status === 'deleted') await this.deliveries.skip(endpointId, streamId);
        return { next: 'done' };
      }
      const stream = { streamType: head.streamType, streamId };
      const [event] = await this.store.readStream(stream, head.version - 1, 1);
      assert(event !== undefined, 'a delivery is written after its event');
      const [at, beganMs] = [new Date(), performance.now()];
      const result = await this.send(head, event, at);
      if (result.kind === 'error' && result.cause !== undefined) {
        const { host } = head;
        this.logger.warn({ endpointId, host, cause: result.cause }, 'a webhook could not be sent');
      }
      if (isAborted(result)) return { next: 'later', waitMs: 0 };
      stillHeld();
      const attempt = { host: head.host, at, tookMs: performance.now() - beganMs, result };
      const dueAt = await this.record(endpointId, head, attempt);
      if (dueAt !== null) return this.postpone(job, dueAt);
    }
    return { next: 'again', dueAt: this.clock.now() };
  };

  /**
   * Stores the job as waiting until the next attempt is due. If the platform requested a redelivery
   * or discarded the delivery during the attempt, this did not make the running job due. So this is
   * checked after the job is stored, and the job is made due here.
   */
  private async postpone(job: Job, dueAt: Instant): Promise<JobEnd> {
    await this.table.end(job, { next: 'again', dueAt });
    await this.deliveries.requestUntried(...placeOf(job));
    return { next: 'recorded', state: 'waiting' };
  }

  private send({ url, secrets }: Head, event: RecordedEvent, at: Date): Promise<PostResult> {
    const { type, eventId, metadata } = event;
    const span = {
      name: 'POST webhook endpoint',
      kind: 'client',
      parent: metadata.traceparent,
      attributes: { 'event.type': type, 'event.id': eventId },
    } as const;
    return inSpan(span, async (sending) => {
      const body = JSON.stringify(structuredCloudEvent(event));
      const traceparent = continueFrom(metadata.traceparent);
      const headers = {
        'content-type': STRUCTURED_MEDIA_TYPE,
        'user-agent': 'payment-orchestrator-webhooks',
        ...(traceparent === null ? {} : { traceparent }),
        ...signedHeaders(eventId, body, secrets, at.getTime()),
      };
      const result = await this.post.send(url, headers, body);
      if (result.kind === 'http') sending?.setAttribute('http.response.status_code', result.status);
      if (!isReceived(result))
        failActiveSpan(result.kind === 'http' ? 'http' : (result.cause ?? result.error));
      return result;
    });
  }

  /**
   * Returns when the next attempt is due; null if the next delivery may be sent. The platform may
   * have requested a redelivery or discarded the delivery during the attempt.
   */
  private async record(
    endpointId: string,
    { id, eventType }: Head,
    attempt: { readonly host: string; at: Date; tookMs: number; result: PostResult },
  ): Promise<Instant | null> {
    const now = this.clock.now();
    const received = isReceived(attempt.result);
    // A test event is sent once, and shows nothing about the endpoint's health.
    const isTest = eventType === TEST_EVENT;
    const mostTries = isTest ? 1 : MAX_ATTEMPTS;
    const counted = { received, attempt, mostTries, counts: !isTest, now };
    const recorded = await this.deliveries.record(id, counted);
    if (recorded === null || received || isTest) return null;
    const { tries, health } = recorded;
    const { result } = attempt;
    const isUnsubscribed = result.kind === 'http' && result.status === UNSUBSCRIBED;
    if (isUnsubscribed) await this.disable(endpointId, 'unsubscribed', now);
    else if (health !== null && shouldDisable(health, now)) {
      await this.disable(endpointId, 'failing', now);
    }
    const delayMs = retryDelayMs(tries, random());
    return delayMs === null ? null : plusMs(now, delayMs);
  }

  private async disable(endpointId: string, reason: DisabledReason, at: Instant): Promise<void> {
    await this.store.execute(
      endpointAggregate,
      endpointId,
      { type: 'DisableEndpoint', reason, at },
      untraced(endpointId, DELIVER, 'system:webhooks'),
    );
  }
}
