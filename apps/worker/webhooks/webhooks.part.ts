import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#kernel';
import { EventStore } from '#event-store';
import { CLOCK, IdleChecks, type Logger, LOGGER, Metrics } from '#platform';
import { AccountShares } from '../loop/account-shares.js';
import { WorkLoop } from '../loop/work-loop.js';
import { ProviderClients } from '../provider-clients.js';
import { type WebhookGroup, WebhookHandler } from './webhook-handler.js';
import { WebhookQueue } from './webhook-queue.js';

const READS_AT_ONCE = 24;
/** Of one account: there is room left for others while its reads are slow. */
const OF_ONE_ACCOUNT = 16;
const IDLE_MS = { first: 20, widest: 100 };

/** Webhooks that the api has stored, in this worker. */
@Injectable()
export class WebhooksPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop<WebhookGroup>;

  constructor(
    pool: Pool, store: EventStore, clients: ProviderClients, metrics: Metrics, idle: IdleChecks,
    @Inject(CLOCK) clock: Clock, @Inject(LOGGER) logger: Logger,
  ) {
    const queue = new WebhookQueue(pool);
    const handler = new WebhookHandler({
      store, queue, clock, logger, clientOf: (accountId) => clients.of(accountId),
    });
    const shares = new AccountShares(OF_ONE_ACCOUNT, () => this.loop.wake());
    this.loop = new WorkLoop({
      name: 'webhooks', logger, width: READS_AT_ONCE, idleMs: IDLE_MS,
      claim: (limit) => handler.claim(shares.room(limit), shares.full()),
      run: (group) => shares.during(group.accountId, () => handler.handle(group)),
    });
    idle.add({
      name: 'webhooks',
      look: async () => {
        const open = await queue.open();
        return { busy: open > 0 ? `${open} open` : null, mark: '' };
      },
    });
    metrics.gauge('webhooks_open', 'Webhooks that are stored and not handled', [], async (gauge) =>
      gauge.set(await queue.open()));
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
