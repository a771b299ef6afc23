import type { Admin, ITopicConfig } from 'kafkajs';
import { waitFor } from './wait-for.js';

/**
 * Creates topics, and waits until each partition has a leader. The client's own wait for leaders
 * fails while the broker does not know the new topic yet.
 */
export const createTopics = async (
  admin: Admin,
  topics: readonly ITopicConfig[],
): Promise<void> => {
  await admin.createTopics({ topics: [...topics], waitForLeaders: false });
  for (const { topic } of topics) await waitFor(() => admin.fetchTopicOffsets(topic));
};
