import type { Kafka } from 'kafkajs';

/**
 * Returns the first of several brokers that responds, or all of them if none does, so that kafkajs
 * reports the error. kafkajs itself would connect to the first broker of its list, and keep this
 * connection even if the broker accepts connections but does not respond, e.g. because its process
 * is suspended.
 */
export const respondingBroker = async (
  brokers: readonly string[],
  clientOf: (broker: string) => Kafka,
): Promise<string[]> => {
  if (brokers.length === 1) return [...brokers];
  const probe = async (broker: string): Promise<string> => {
    const admin = clientOf(broker).admin();
    await admin.connect().finally(() => admin.disconnect());
    return broker;
  };
  return Promise.any(brokers.map(probe)).then(
    (first) => [first],
    () => [...brokers],
  );
};
