import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @type {typeof import('./kept-story.mjs').keptStory} */
export const keptStory = (folder) => {
  const file = join(folder, 'story-order.txt');
  return {
    hasRun: async ({ apiUrl, apiKey }) => {
      if (!existsSync(file)) return false;
      const answer = await fetch(`${apiUrl}/v1/orders/${readFileSync(file, 'utf8')}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      await answer.arrayBuffer();
      return answer.status !== 404;
    },
    keep: (orderId) => writeFileSync(file, orderId),
  };
};
