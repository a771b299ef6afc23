import kafkajs, { type Admin, type Kafka } from 'kafkajs';

// Imported by the default export, because Node cannot find the error classes as named exports of
// this CommonJS package.
const { KafkaJSError, KafkaJSGroupCoordinatorNotFound } = kafkajs;

/** Thrown when the brokers do not respond: the offsets of the group cannot be read now. */
export class BrokersUnavailable extends Error {
  override readonly name = 'BrokersUnavailable';
}

/**
 * Whether an error of Kafka is transient. After the client's last retry, the transient error is the
 * `cause` of the thrown error.
 */
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
        // An offset below 0 means that the group has not committed an offset yet, so all messages
        // count.
        return Number(BigInt(high) - (at < 0n ? BigInt(low) : at));
      });
    }),
  );
  return lags.flat().reduce((sum, lag) => sum + Math.max(lag, 0), 0);
};

/** Reads the offsets of consumer groups over one persistent connection. */
export class GroupLag {
  private admin: Promise<Admin> | null = null;

  constructor(private readonly kafka: Kafka) {}

  /**
   * The number of messages that the group has not committed yet, over all partitions; all messages
   * for a group that has never committed. @throws BrokersUnavailable; any other error is a bug.
   */
  async lag(groupId: string, topics: readonly string[]): Promise<number> {
    try {
      return await lagOf(await (this.admin ??= this.connect()), groupId, topics);
    } catch (error) {
      if (!isTransient(error)) throw error;
      // Closes the connection, so that the next call opens a new one.
      await this.close().catch(() => undefined);
      throw new BrokersUnavailable('Kafka did not return the offsets of the group', {
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
