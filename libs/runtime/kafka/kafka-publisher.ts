import { CompressionTypes, type Kafka, type Message, Partitioners, type Producer } from 'kafkajs';
import type { OutgoingMessage } from './cloud-event.js';
import type { Publisher } from './publisher.js';
import { recordContent } from './record-content.js';

const ACK_TIMEOUT_MS = 8_000;
/**
 * The interval between two checks of the topics. Without the check, messages would be sent, without
 * any error, to a topic that an operator has deleted and created again.
 */
const PREPARE_EVERY_MS = 10_000;

const byTopic = (batch: readonly OutgoingMessage[]): { topic: string; messages: Message[] }[] => {
  const topics = new Map<string, Message[]>();
  for (const { topic, key, value, headers } of batch) {
    const messages = topics.get(topic);
    const message = { key, value: recordContent(value, headers) };
    if (messages) messages.push(message);
    else topics.set(topic, [message]);
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages }));
};

/**
 * Publishes with kafkajs. The idempotent producer of kafkajs is not used, because it loses
 * acknowledged messages if a response is lost while another send waits. Instead only one send runs
 * at a time, and the same batch is sent again until it is acknowledged, so the order of messages is
 * kept. The partitioner is fixed, because a key must never move to another partition.
 *
 * kafkajs itself must not retry: its second attempt skips the brokers that acknowledged their part
 * of the first attempt. If one of these brokers has become the leader of a further partition, the
 * messages of that partition are lost.
 */
export class KafkaPublisher implements Publisher {
  private producer: Producer | null = null;
  /** Until this monotonic time the topics need no further check. */
  private preparedUntilMs = 0;

  constructor(
    private readonly kafka: Kafka,
    /**
     * Ensures that the topics exist. Called before the first message, after a failure, and
     * periodically.
     */
    private readonly prepare: () => Promise<void>,
  ) {}

  async publish(batch: readonly OutgoingMessage[]): Promise<void> {
    if (performance.now() >= this.preparedUntilMs) {
      await this.prepare();
      this.preparedUntilMs = performance.now() + PREPARE_EVERY_MS;
    }
    try {
      const producer = await this.connected();
      await producer.sendBatch({
        acks: -1,
        timeout: ACK_TIMEOUT_MS,
        compression: CompressionTypes.None,
        topicMessages: byTopic(batch),
      });
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.preparedUntilMs = 0;
    await this.producer?.disconnect();
    this.producer = null;
  }

  private async connected(): Promise<Producer> {
    if (this.producer !== null) return this.producer;
    const producer = this.kafka.producer({
      // Without this setting the client does not read the partition leaders again if a broker does
      // not respond, e.g. because its machine has failed.
      metadataMaxAge: PREPARE_EVERY_MS,
      createPartitioner: Partitioners.DefaultPartitioner,
      idempotent: false,
      allowAutoTopicCreation: false,
      retry: { retries: 0 },
    });
    this.producer = producer;
    await producer.connect();
    return producer;
  }

  /**
   * After a failure the connections are replaced, because kafkajs keeps a connection whose broker
   * does not respond. The topics are checked again, because a broker may have lost them with its
   * disk.
   */
  private discard(): void {
    this.preparedUntilMs = 0;
    // The disconnection waits for pending requests. It is not awaited, and its errors are ignored,
    // because the failure that led here is already reported.
    this.producer?.disconnect().catch(() => undefined);
    this.producer = null;
  }
}
