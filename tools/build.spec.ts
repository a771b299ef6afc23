import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';
import { basename, dirname, join } from 'node:path';
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

describe('the source maps of the programs', () => {
  const chunks = join(DIST, 'programs', 'chunks');
  const [file = ''] = readdirSync(chunks).filter((name) => /^platform-.*\.js$/.test(name));
  const lines = readFileSync(join(chunks, file), 'utf8').split('\n');
  const map = new SourceMap(
    JSON.parse(readFileSync(join(chunks, `${file}.map`), 'utf8')) as SourceMapPayload,
  );
  const sourceOf = (text: string): string | undefined => {
    const line = lines.findIndex((one) => one.includes(text));
    const entry: Partial<SourceMapping> = map.findEntry(line, lines[line]?.indexOf(text) ?? 0);
    return entry.originalSource === undefined ? undefined : basename(entry.originalSource);
  };

  test('lead from our code to its source', () => {
    expect(sourceOf('throw new ConfigError(`set the environment variable')).toBe('config.ts');
  });

  test('lead from the code of a package to no source, because this code is not in our sources', () => {
    expect(sourceOf('class ValidationPipe')).toBeUndefined();
    expect(lines.some((one) => one.includes('class ValidationPipe'))).toBe(true);
  });
});

test('the bill of materials names the bundled packages, and their licenses are beside it', () => {
  const folder = join(DIST, 'programs');
  const { components } = JSON.parse(readFileSync(join(folder, 'packages.cdx.json'), 'utf8')) as {
    components: { name: string; version: string; purl: string }[];
  };
  const { version } = JSON.parse(
    readFileSync(join(ROOT, 'node_modules/pg/package.json'), 'utf8'),
  ) as {
    version: string;
  };
  expect(components).toContainEqual(
    expect.objectContaining({ name: 'pg', version, purl: `pkg:npm/pg@${version}` }),
  );
  const licenses = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  expect(licenses).toContain(`pg ${version} (MIT)`);
  expect(licenses).toContain('Permission is hereby granted');
});
