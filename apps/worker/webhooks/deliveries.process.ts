import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Jobs, JobTable } from '#jobs';
import { LeasedLoop, logLag } from '#kafka';
import { EventStore, LogReader, Wakes } from '#log';
import { type BusinessClock, CLOCK, GuardedPost, type Logger, LOGGER, Metrics } from '#platform';
import { StoredEndpointDetails, WEBHOOK_TARGETS, type WebhookTargets } from '#webhook';
import { Loops } from '../loops.js';
import { CURSOR, DeliveryFeed } from './delivery-feed.js';
import { DeliveryJob } from './delivery-job.js';
import { OpenDeliveries } from './open-deliveries.js';
import { overdueSeconds } from './overdue-deliveries.js';
import { ResumeJob } from './resume-job.js';
import { SkipJob } from './skip-job.js';

/** The time limit of one request to a webhook endpoint, in wall-clock time. */
const ATTEMPT_MS = 15_000;

const IDLE_MS = { gather: 250 };

/** Counts the failed deliveries, and the endpoints that are enabled, failing or disabled. */
const COUNTS = `
  SELECT (SELECT count(*)::int FROM webhook_deliveries WHERE state = 'failed') AS failed,
         count(*) FILTER (WHERE status = 'enabled' AND failing_since IS NULL)::int AS enabled,
         count(*) FILTER (WHERE status = 'enabled' AND failing_since IS NOT NULL)::int AS failing,
         count(*) FILTER (WHERE status = 'disabled' AND disabled_reason IN ('failing', 'unsubscribed'))::int
           AS disabled
    FROM webhook_endpoints WHERE status <> 'deleted'`;

interface Counts {
  readonly failed: number;
  readonly enabled: number;
  readonly failing: number;
  readonly disabled: number;
}

/** Sends the events of the log to the webhook endpoints of platforms. */
@Injectable()
export class WebhookDeliveriesProcess {
  constructor(
    pool: Pool,
    store: EventStore,
    reader: LogReader,
    wakes: Wakes,
    jobs: Jobs,
    loops: Loops,
    metrics: Metrics,
    details: StoredEndpointDetails,
    @Inject(WEBHOOK_TARGETS) targets: WebhookTargets,
    @Inject(CLOCK) clock: BusinessClock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const post = new GuardedPost({ timeoutMs: ATTEMPT_MS, ...targets, allowsHttp: true });
    const open = new OpenDeliveries(pool, details);
    jobs.register(new DeliveryJob(store, open, new JobTable(pool), post, clock, logger));
    jobs.register(new ResumeJob(pool, clock, () => wakes.wake('jobs')), new SkipJob(pool, clock));
    // A request may take longer than the time that a process has to stop, so open requests are
    // aborted.
    jobs.whenStopping(() => post.close());
    const feed = new DeliveryFeed(pool, reader, () => wakes.wake('jobs'));
    const loop = new LeasedLoop(
      { name: 'webhooks', round: () => feed.round() },
      { pool, logger, idleMs: IDLE_MS },
    );
    wakes.on('log', () => loop.wake());
    loops.add(loop);
    metrics.gauge(
      'webhook_endpoints',
      'Webhook endpoints of platforms: enabled, failing, or disabled by the service',
      ['status'],
      async (gauge) => {
        const { enabled, failing, disabled } = await this.counts(pool);
        gauge.set({ status: 'enabled' }, enabled);
        gauge.set({ status: 'failing' }, failing);
        gauge.set({ status: 'disabled' }, disabled);
      },
    );
    metrics.gauge(
      'webhook_feed_lag_seconds',
      'Age of the oldest event that is not yet queued for the webhook endpoints; 0 without endpoints',
      [],
      async (gauge) => {
        const { enabled, failing, disabled } = await this.counts(pool);
        const hasEndpoints = enabled + failing + disabled > 0;
        gauge.set(hasEndpoints ? (await logLag(pool, CURSOR)).seconds : 0);
      },
    );
    metrics.gauge(
      'webhook_delivery_overdue_seconds',
      'Seconds of business time since the oldest unsent delivery of a webhook was due; 0 if none is',
      [],
      async (gauge) => gauge.set(await overdueSeconds(pool, clock.now())),
    );
    metrics.gauge(
      'webhook_deliveries_failed',
      'Deliveries of webhooks to platforms whose attempts are exhausted',
      [],
      async (gauge) => gauge.set((await this.counts(pool)).failed),
    );
  }

  private async counts(pool: Pool): Promise<Counts> {
    const { rows } = await pool.query<Counts>(COUNTS);
    return rows[0] ?? { failed: 0, enabled: 0, failing: 0, disabled: 0 };
  }
}
