import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import type { StreamType } from '#event-store';
import { BrokersAway, createKafka, GroupLag, type KafkaSettings, topicOf } from '#messaging';
import { type Logger, LOGGER } from '#platform';

/** Injection token of the app's `KafkaSettings`, null where it knows no brokers. */
export const KAFKA = Symbol('KAFKA');

export interface ConsumerLagRow {
  readonly consumer: string;
  /** Messages not taken yet; null when the brokers do not say. */
  readonly messages: number | null;
}

/** The few pairs of consumer and stream type, without reading every row of the inbox. */
const CONSUMERS = `
  WITH RECURSIVE pairs AS (
    (SELECT consumer, stream_type FROM inbox ORDER BY consumer, stream_type LIMIT 1)
    UNION ALL
    SELECT next.consumer, next.stream_type
      FROM pairs p, LATERAL (
        SELECT i.consumer, i.stream_type FROM inbox i
         WHERE (i.consumer, i.stream_type) > (p.consumer, p.stream_type)
         ORDER BY i.consumer, i.stream_type LIMIT 1) next)
  SELECT consumer, array_agg(stream_type) AS streams FROM pairs GROUP BY consumer ORDER BY consumer`;

/** How far the consumers of the topics are behind. */
@Injectable()
export class ConsumerLag implements OnApplicationShutdown {
  private readonly groupLag: GroupLag | null;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(KAFKA) private readonly settings: KafkaSettings | null,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.groupLag = settings === null ? null : new GroupLag(createKafka(settings, 'admin', logger));
  }

  async read(): Promise<readonly ConsumerLagRow[]> {
    const { rows } = await this.pool.query<{ consumer: string; streams: StreamType[] }>(CONSUMERS);
    return Promise.all(rows.map(async ({ consumer, streams }) => ({
      consumer, messages: await this.messagesOf(consumer, streams),
    })));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.groupLag?.close();
  }

  private async messagesOf(
    consumer: string, streams: readonly StreamType[],
  ): Promise<number | null> {
    const { groupLag, settings } = this;
    if (groupLag === null || settings === null) return null;
    const topics = streams.map((stream) => topicOf(stream, settings.topics));
    try {
      return await groupLag.lag(`${settings.topics.prefix}${consumer}`, topics);
    } catch (error) {
      if (!(error instanceof BrokersAway)) throw error;
      return null;
    }
  }
}
