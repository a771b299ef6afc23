/**
 * `npm run check -- words`: comments, test names, messages, identifiers in any case and file names
 * use the words of docs/glossary.md. Each violation is reported with its file and line, the word,
 * and what to write instead.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from './paths.mjs';
import { NOT_READ, WORDS } from './word-list.mjs';

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.state', 'coverage', '.vitepress']);
const READ = /\.(?:md|[mc]?[jt]s|tsx|css|html|ya?ml|json|toml|py)$|^Dockerfile$/;
/** Matches the boundary between two words in camelCase, SNAKE_CASE and kebab-case. */
const JOINTS = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Za-z\d])[_-]+(?=[A-Za-z])/g;

const PATTERNS = WORDS.map(({ pattern, ...word }) => ({
  ...word,
  pattern: new RegExp(`\\b(?:${pattern})\\b`, 'i'),
}));
const ANY = new RegExp(`\\b(?:${WORDS.map(({ pattern }) => pattern).join('|')})\\b`, 'i');

/** @param {string} path @param {readonly string[]} places */
const isWithin = (path, places) =>
  places.some((place) => place === '.' || path === place || path.startsWith(`${place}/`));

/** @param {string} root @param {string} folder relative to it @returns {string[]} */
const filesBelow = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (SKIPPED.has(entry.name) || isWithin(path, NOT_READ)) return [];
    if (entry.isDirectory()) return filesBelow(root, path);
    return READ.test(entry.name) ? [path] : [];
  });

/** @param {string} path @param {string} text @param {(line: number) => string} placeOf */
const complaintsAt = (path, text, placeOf) => {
  const words = text.replaceAll(JOINTS, ' ');
  if (!ANY.test(words)) return [];
  return words.split('\n').flatMap((line, index) =>
    PATTERNS.flatMap(({ pattern, write, allowed = [] }) => {
      const found = isWithin(path, allowed) ? null : pattern.exec(line);
      return found === null ? [] : [`${placeOf(index + 1)}: "${found[0]}": write ${write}`];
    }),
  );
};

/** @param {string} path @param {string} text @returns {string[]} */
const complaintsOf = (path, text) => [
  ...complaintsAt(path, path, () => path),
  ...complaintsAt(path, text, (line) => `${path}:${line}`),
];

/**
 * @param {string} root
 * @param {readonly string[]} [places] the files and folders to check. Default: all
 */
export const wordComplaints = (root, places = ['.']) =>
  filesBelow(root, '.')
    .filter((path) => isWithin(path, places))
    .flatMap((path) => complaintsOf(path, readFileSync(join(root, path), 'utf8')));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const places = process.argv.slice(2);
  const complaints = wordComplaints(ROOT, places.length > 0 ? places : ['.']);
  for (const complaint of complaints) console.log(complaint);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
