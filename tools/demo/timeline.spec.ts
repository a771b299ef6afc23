import { readFileSync } from 'node:fs';
import { TITLES } from './timeline.js';

test('the demo’s terminal output and the demo shop show the same name for an event', () => {
  const story = new URL('../../apps/sandbox/people/shop/browser/story.js', import.meta.url);
  const found = readFileSync(story, 'utf8').matchAll(/^ {2}(\w+): \{\s*title: '([^']+)'/gm);
  expect(TITLES).toEqual(Object.fromEntries([...found].map(([, type, title]) => [type, title])));
});
