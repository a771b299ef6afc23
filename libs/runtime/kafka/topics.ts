import type { StreamType } from '#kernel';

/** The name, without the prefix, of the topic with the events of each type of stream. */
export const TOPIC_NAMES: Readonly<Record<StreamType, string>> = {
  order: 'orders.v1',
  payment: 'payments.v1',
  payout: 'payouts.v1',
  merchant: 'merchants.v1',
  account: 'provider-accounts.v1',
  webhook_endpoint: 'webhook-endpoints.v1',
};

export const STREAM_TYPES = Object.keys(TOPIC_NAMES) as readonly StreamType[];

export const isStreamType = (text: string): text is StreamType => Object.hasOwn(TOPIC_NAMES, text);

/** The settings of new topics. */
export interface TopicSettings {
  /** The prefix of the names of topics and consumer groups, e.g. for isolated tests. */
  readonly prefix: string;
  /**
   * The number of partitions. This number must never change, because the events of a key would then
   * move to another partition and lose their order.
   */
  readonly partitions: number;
  /** The number of copies of each partition; 3 in production. */
  readonly replication: number;
}

export const topicOf = (
  streamType: StreamType,
  { prefix }: Pick<TopicSettings, 'prefix'>,
): string => `${prefix}${TOPIC_NAMES[streamType]}`;
