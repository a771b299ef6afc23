import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { folderComplaints } from './folder-circles.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folders-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Creates files below the area's folder. Each file imports the files in its list. */
const plant = (files: Readonly<Record<string, readonly string[]>>): void => {
  for (const [file, imports] of Object.entries(files)) {
    const path = join(root, 'house', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, imports.map((from) => `import type { A } from '${from}';\n`).join(''));
  }
};

const ROOMS = ['cellar', 'hall', 'attic'];
const complaints = (rooms?: readonly string[]) =>
  folderComplaints(root, [{ folder: 'house', ...(rooms === undefined ? {} : { rooms }) }]);

test('the folder check accepts two folders of which only one imports the other', () => {
  plant({
    'main.ts': ['./attic/roof.js', './cellar/wine.js'],
    'attic/roof.ts': ['../hall/door.js'],
    'hall/door.ts': ['../cellar/wine.js', './bell.js'],
    'hall/bell.ts': [],
    'cellar/wine.ts': ['#kernel', 'node:fs'],
  });
  expect(complaints(ROOMS)).toEqual([]);
});

test('the folder check reports two folders that import each other, even when no two files do', () => {
  plant({
    'attic/roof.ts': ['../hall/door.js'],
    'hall/door.ts': [],
    'hall/bell.ts': ['../attic/rope.js'],
    'attic/rope.ts': [],
  });
  expect(complaints()).toEqual([
    'folders import each other in house: attic/roof.ts → hall/door.ts, hall/bell.ts → attic/rope.ts',
  ]);
});

test('the folder check reports an import cycle of three folders, and one between a folder and a file next to it', () => {
  plant({
    'hall/a/one.ts': ['../b/one.js'],
    'hall/b/one.ts': ['../c/one.js'],
    'hall/c/one.ts': ['../a/other.js'],
    'hall/a/other.ts': [],
    'attic/roof.ts': ['./under/beam.js'],
    'attic/under/beam.ts': ['../nail.js'],
    'attic/nail.ts': [],
    'attic/under/board.ts': ['../roof.js'],
  });
  expect(complaints()).toEqual([
    'folders import each other in house/attic: attic/roof.ts → attic/under/beam.ts, ' +
      'attic/under/board.ts → attic/roof.ts',
    'folders import each other in house/hall: hall/a/one.ts → hall/b/one.ts, hall/b/one.ts → hall/c/one.ts, ' +
      'hall/c/one.ts → hall/a/other.ts',
  ]);
});

test('the folder check reports that a lower folder imports a higher folder or a file above the folders', () => {
  plant({
    'cellar/wine.ts': ['../hall/door.js'],
    'hall/door.ts': ['../config.js'],
    'config.ts': [],
  });
  expect(complaints(ROOMS)).toEqual([
    'a lower folder of house imports a higher one: cellar/wine.ts → hall/door.ts',
    'a lower folder of house imports a higher one: hall/door.ts → config.ts',
  ]);
});

test("the folder check reports a folder that is missing in the area's list of folders", () => {
  plant({ 'shed/rake.ts': ['../cellar/wine.js'], 'cellar/wine.ts': [] });
  expect(complaints(ROOMS)).toEqual(['not in the list of folders of house: shed/rake.ts']);
});

test('the folder check ignores the imports of specs and of files that only specs use', () => {
  plant({
    'cellar/wine.spec.ts': ['../attic/roof.js'],
    'cellar/testing/guest.ts': ['../../attic/roof.js'],
    'attic/roof.ts': ['../cellar/wine.js'],
    'cellar/wine.ts': [],
  });
  expect(complaints(ROOMS)).toEqual([]);
});
