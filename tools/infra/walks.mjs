/**
 * `npm run check -- walks`: prints how many files a reader opens, and how often the reader changes
 * the folder, to follow a path through the code from its entry to its end. Each file after the
 * first must be imported by an earlier file of the walk, import an earlier file (as a registered
 * handler does), or follow a step `through …`. This proves that the walk omits no file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';

import { LIB_ALIASES } from './lib-aliases.mjs';
import { ROOT } from './paths.mjs';
import { WALKS } from './walk-list.mjs';

const NAMED = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/g;

/** @param {string} root @param {string} from @param {string} specifier @returns {string | null} */
const fileOf = (root, from, specifier) => {
  const written = specifier.startsWith('.')
    ? posix.join(dirname(from), specifier)
    : LIB_ALIASES.get(specifier);
  if (written === undefined) return null;
  const file = written.replace(/\.js$/, '.ts');
  return existsSync(join(root, file)) ? file : null;
};

const isThrough = (step) => step.startsWith('through ');

/**
 * The names that a file imports, each with the file that exports it.
 * @param {string} root
 * @param {string} file
 */
const namesIn = (root, file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(NAMED)].flatMap(([, names, specifier]) => {
    const from = fileOf(root, file, specifier);
    return from === null
      ? []
      : names.split(',').map((name) => ({
          from,
          name:
            name
              .trim()
              .replace(/^type\s+/, '')
              .split(/\s+as\s+/)[0] ?? '',
        }));
  });

/**
 * The files that a file imports. For names from an index, these are the files that declare the
 * names.
 */
const importsOf = (root, file) =>
  new Set(
    namesIn(root, file).flatMap(({ from, name }) => {
      if (!from.endsWith('/index.ts')) return [from];
      const origin = namesIn(root, from).find((one) => one.name === name);
      return origin === undefined ? [] : [origin.from];
    }),
  );

/**
 * @param {string} root
 * @param {import('./walks.d.mts').Walk} walk
 * @returns {import('./walks.d.mts').Walked}
 */
export const walk = (root, { name, files: steps, most }) => {
  const files = steps.filter((step) => !isThrough(step));
  const missing = files.filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) {
    return {
      name,
      files: files.length,
      changes: 0,
      complaints: missing.map((file) => `the file ${file} does not exist`),
    };
  }
  const imports = files.map((file) => importsOf(root, file));
  const isReached = (file, at) =>
    at === 0 ||
    isThrough(steps[steps.indexOf(file) - 1] ?? '') ||
    files.slice(0, at).some((before, index) => imports[index].has(file) || imports[at].has(before));
  const lost = files.filter((file, at) => !isReached(file, at));
  const changes = files.filter(
    (file, at) => at > 0 && dirname(file) !== dirname(files[at - 1]),
  ).length;
  const complaints = lost.map(
    (file) =>
      `no earlier file of the walk imports ${file}: add the files in between to tools/infra/walk-list.mjs`,
  );
  if (files.length > most.files || changes > most.changes) {
    complaints.push(
      `the walk must have at most ${most.files} files and ${most.changes} changes of folder`,
    );
  }
  return { name, files: files.length, changes, complaints };
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const walked = WALKS.map((one) => walk(ROOT, one));
  for (const { name, files, changes, complaints } of walked) {
    console.log(
      `${String(files).padStart(3)} files, ${String(changes).padStart(2)} changes of folder   ${name}`,
    );
    for (const complaint of complaints) console.log(`    ${complaint}`);
  }
  process.exitCode = walked.every(({ complaints }) => complaints.length === 0) ? 0 : 1;
}
