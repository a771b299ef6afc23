import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#kernel';
import { EventStore } from '#log';
import { Jobs } from '#jobs';
import { CLOCK, type Logger, LOGGER, Metrics } from '#platform';
import { ProviderClients } from '../provider-clients.js';
import { WebhookHandler } from './webhook-handler.js';
import { WebhookQueue } from './webhook-queue.js';

/** The part of a worker that handles the webhooks that the API has stored. */
@Injectable()
export class WebhooksProcess {
  constructor(
    pool: Pool,
    store: EventStore,
    clients: ProviderClients,
    jobs: Jobs,
    metrics: Metrics,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const queue = new WebhookQueue(pool);
    jobs.register(
      new WebhookHandler(store, queue, clock, logger, (accountId) => clients.of(accountId)),
    );
    metrics.gauge('webhooks_open', 'Webhooks that are stored and not handled', [], async (gauge) =>
      gauge.set(await queue.open()),
    );
  }
}
