import kafkajs, { type Admin, type Kafka } from 'kafkajs';

// Node finds no named exports for the client's errors.
const { KafkaJSError, KafkaJSGroupCoordinatorNotFound } = kafkajs;

/** The brokers do not answer: how far a group has come cannot be read at present. */
export class BrokersUnavailable extends Error {
  override readonly name = 'BrokersUnavailable';
}

/** Of Kafka, and over by itself. What was retried often enough carries it as its cause. */
const isTransient = (error: unknown): boolean =>
  error instanceof KafkaJSError &&
  (error.retriable || error instanceof KafkaJSGroupCoordinatorNotFound || isTransient(error.cause));

const lagOf = async (admin: Admin, groupId: string, topics: readonly string[]): Promise<number> => {
  const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
  const lags = await Promise.all(
    topics.map(async (topic) => {
      const ends = await admin.fetchTopicOffsets(topic);
      const known = committed.find((one) => one.topic === topic)?.partitions ?? [];
      return ends.map(({ partition, high, low }) => {
        const at = BigInt(known.find((one) => one.partition === partition)?.offset ?? '-1');
        // Below 0: nothing committed, or reset, so the group will begin at the beginning.
        return Number(BigInt(high) - (at < 0n ? BigInt(low) : at));
      });
    }),
  );
  return lags.flat().reduce((sum, lag) => sum + Math.max(lag, 0), 0);
};

/** Reads how far consumer groups have come, over one connection that is kept. */
export class GroupLag {
  private admin: Promise<Admin> | null = null;

  constructor(private readonly kafka: Kafka) {}

  /**
   * How many messages of the topics the group has not committed yet, over all partitions; all of
   * them for a group that has not begun. @throws BrokersUnavailable; anything else is a bug.
   */
  async lag(groupId: string, topics: readonly string[]): Promise<number> {
    try {
      return await lagOf(await (this.admin ??= this.connect()), groupId, topics);
    } catch (error) {
      if (!isTransient(error)) throw error;
      // The next call begins with a new connection.
      await this.close().catch(() => undefined);
      throw new BrokersUnavailable('Kafka does not answer how far a group has come', {
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    const { admin } = this;
    this.admin = null;
    if (admin !== null) await (await admin).disconnect();
  }

  private async connect(): Promise<Admin> {
    const admin = this.kafka.admin();
    try {
      await admin.connect();
      return admin;
    } catch (error) {
      this.admin = null;
      throw error;
    }
  }
}
