import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { walk } from './walks.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'walks-'));
  for (const [file, text] of Object.entries({
    'apps/api/entry.ts': `import { decide } from '#order';\nimport { Store } from './store.js';`,
    'apps/api/store.ts': '',
    'libs/order/index.ts': `export { decide, type Other } from './domain/decider.js';`,
    'libs/order/domain/decider.ts': `import type { Event } from './event.js';`,
    'libs/order/domain/event.ts': '',
    'apps/worker/handler.ts': `import { Store } from '../api/store.js';`,
  })) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const most = { files: 4, changes: 2 };
const walked = (...files: readonly string[]) => walk(root, { name: 'a walk', files, most });

const ENTRY = 'apps/api/entry.ts';
const DECIDER = 'libs/order/domain/decider.ts';
const EVENT = 'libs/order/domain/event.ts';

test('the check of documented code paths counts files and changes of folder, and follows imports through the index of a lib', () => {
  expect(walked(ENTRY, 'apps/api/store.ts', DECIDER, EVENT)).toEqual({
    name: 'a walk',
    files: 4,
    changes: 1,
    complaints: [],
  });
});

test('the check of documented code paths accepts a registered handler, and a step to another process through a database table', () => {
  expect(walked(ENTRY, 'apps/api/store.ts', 'apps/worker/handler.ts').complaints).toEqual([]);
  expect(walked(ENTRY, 'through the table jobs', EVENT).complaints).toEqual([]);
});

test('the check of documented code paths reports a file that does not exist, and a file that no earlier file of the path imports', () => {
  expect(walked(ENTRY, EVENT).complaints).toEqual([
    expect.stringContaining(`no earlier file of the walk imports ${EVENT}`),
  ]);
  expect(walked(ENTRY, 'apps/api/missing.ts').complaints).toEqual([
    'the file apps/api/missing.ts does not exist',
  ]);
});

test('the check of documented code paths reports a path with too many files or changes of folder', () => {
  expect(walked(ENTRY, DECIDER, 'apps/api/store.ts', EVENT).complaints).toEqual([
    'the walk must have at most 4 files and 2 changes of folder',
  ]);
});
