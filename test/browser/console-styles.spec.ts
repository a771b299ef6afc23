import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const assets = resolve('dist/apps/admin/console-build/assets');

const textOf = (ending: string): string =>
  readdirSync(assets)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(assets, name), 'utf8'))
    .join('\n');

/** The class names of the component library that a text contains. */
const classesIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

test('the stylesheet contains every rule of the component library that the console’s scripts use', () => {
  const library = createRequire(import.meta.url).resolve('@mantine/core/styles.css');
  const known = classesIn(readFileSync(library, 'utf8'));
  const styled = classesIn(textOf('.css'));
  const named = [...classesIn(textOf('.js'))].filter((one) => known.has(one));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((one) => !styled.has(one))).toEqual([]);
});
