import { readFileSync } from 'node:fs';

import { isNodeFit } from './preflight.mjs';

const readEngines = (folder: string): unknown => {
  const file = new URL(`../../${folder}package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { engines: { node: string } }).engines.node;
};

test.each(['', 'packages/subscriber/', 'examples/fulfilment/', 'apps/sandbox/'])(
  './%spackage.json requires the Node versions that the preflight accepts',
  (folder) => {
    expect(readEngines(folder)).toBe('^20.19.0 || ^22.12.0 || >=24.0.0');
  },
);

test.each([
  ['18.20.4', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.11.0', false],
  ['24.0.0', true],
  ['24.21.0', true],
  ['26.10.0', true],
])('the preflight accepts Node %s: %s', (version, fits) => {
  expect(isNodeFit(version)).toBe(fits);
});
