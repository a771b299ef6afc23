/**
 * `node tools/infra/links.mjs`: checks that each link between pages of this repository, and each
 * citation of a page in code (`docs/provider/payments.md#events`), names an existing file and
 * heading.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from './paths.mjs';

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.state', '.temp', 'coverage']);
const READ = /\.(md|ts|tsx|mjs|cjs|yml|yaml)$/;
/** This spec is not checked, because it contains broken links on purpose. */
const OWN_SPEC = 'links.spec.ts';

/** Matches a Markdown link, `[text](target)`. Code is removed before. */
const MARKDOWN_LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
/** Matches the path of a documentation page from the root, in code or text. */
const CITATION = /\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g;
/**
 * Matches a citation of a heading as quoted text. It is reported, because the check cannot verify
 * that such a heading exists.
 */
const WORDS_ALONE = /\b(?:specification|completion), "/i;
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
const ELSEWHERE = /^[a-z][a-z+.-]*:/i;

/** @param {string} folder @returns {string[]} */
const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    // While the docs site is built, short-lived files with such names stand beside its settings.
    if (NOT_OURS.has(entry.name) || entry.name.includes('.timestamp-')) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return READ.test(entry.name) && entry.name !== OWN_SPEC ? [path] : [];
  });

/** The anchor that GitHub gives to a heading. @param {string} heading */
export const slugOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** @param {string} text @returns {ReadonlySet<string>} */
const anchorsOf = (text) => {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const anchors = new Set();
  for (const [, heading] of text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading);
    const before = seen.get(slug) ?? 0;
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
    seen.set(slug, before + 1);
  }
  return anchors;
};

/**
 * The files and headings to which a file refers, as absolute paths.
 * @param {string} root
 * @param {string} file
 */
const referencesOf = (root, file) => {
  const text = readFileSync(file, 'utf8');
  const cited = [...text.matchAll(CITATION)].map(([target]) => ({ target, base: root }));
  if (!file.endsWith('.md')) return cited;
  const links = [...text.replaceAll(CODE, '').matchAll(MARKDOWN_LINK)]
    .filter(([, target]) => !ELSEWHERE.test(target))
    .map(([, target]) => ({ target, base: dirname(file) }));
  // Paths inside links are omitted here, because the target of a link is relative to the page's
  // folder.
  return [...links, ...cited.filter(({ target }) => !text.includes(`(${target})`))];
};

/** @param {string} root @param {string} file */
const wordsAlone = (root, file) =>
  WORDS_ALONE.test(readFileSync(file, 'utf8'))
    ? [
        `${relative(root, file).replaceAll(sep, '/')}: cites a heading without a link: write docs/….md#heading`,
      ]
    : [];

/**
 * A line of text for each link or citation below `root` whose file or heading does not exist.
 * @param {string} root
 */
export const linkComplaints = (root) => {
  /** @type {Map<string, ReadonlySet<string>>} */
  const known = new Map();
  const anchors = (path) => {
    const found = known.get(path) ?? anchorsOf(readFileSync(path, 'utf8'));
    known.set(path, found);
    return found;
  };
  return filesBelow(root).flatMap((file) => [
    ...wordsAlone(root, file),
    ...referencesOf(root, file).flatMap(({ target, base }) => {
      const [path = '', anchor] = target.split('#');
      const to = path === '' ? file : resolve(base, decodeURIComponent(path));
      const from = relative(root, file).replaceAll(sep, '/');
      if (!existsSync(to)) return [`${from}: the file ${target} does not exist`];
      if (anchor === undefined || statSync(to).isDirectory() || !to.endsWith('.md')) return [];
      return anchors(to).has(anchor) ? [] : [`${from}: the heading ${target} does not exist`];
    }),
  ]);
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const complaints = linkComplaints(ROOT);
  for (const complaint of complaints) console.log(complaint);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
