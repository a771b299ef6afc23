import { readFileSync } from 'node:fs';
import { TITLES } from './timeline.js';

test('an event has the same name in the terminal and in the shop', () => {
  const story = new URL('../../apps/sandbox/people/shop/browser/story.js', import.meta.url);
  const found = readFileSync(story, 'utf8').matchAll(/^ {2}(\w+): \{\s*title: '([^']+)'/gm);
  expect(TITLES).toEqual(Object.fromEntries([...found].map(([, type, title]) => [type, title])));
});
