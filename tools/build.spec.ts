import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './infra/paths.mjs';

const DIST = join(ROOT, 'dist');
/**
 * Folders with files of bundlers. They are not checked, because a bundler fails on a missing
 * import.
 */
const BUNDLED = ['programs', 'apps/admin/console-build'];
const IMPORT = /^(?:import(?! type)|export) [^;]*?from '(\.[^']+)';$|^import '(\.[^']+)';$/gm;

/** The paths below `dist` of the files that a compiled module imports. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(DIST, file), 'utf8').matchAll(IMPORT)].map(([, named, bare]) =>
    join(dirname(file), named ?? bare ?? ''),
  );

test('the compiled modules import only files that the build contains', () => {
  const compiled = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.js') && !BUNDLED.some((folder) => file.startsWith(folder)),
  );
  expect(compiled.length).toBeGreaterThan(500);
  const seen = new Set(compiled);
  const missing: string[] = [];
  // Adds imported files to `seen` while the loop iterates over `seen`, so that their imports are
  // checked, too.
  for (const file of seen) {
    for (const path of importsOf(file)) {
      if (existsSync(join(DIST, path))) seen.add(path);
      else missing.push(`${file} imports ${path}`);
    }
  }
  expect(missing).toEqual([]);
});

test('the bundled programs use one copy of kafkajs, whose idle connections run no timers', () => {
  const folder = join(DIST, 'programs', 'chunks');
  const bundles = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const loading = bundles.filter((file) =>
    /\(["']kafkajs[/"']/.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(bundles.length).toBeGreaterThan(20);
  expect(loading).toEqual([]);
});
