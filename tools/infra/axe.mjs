import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** @typedef {import('playwright-core').Page} Page @typedef {import('playwright-core').Frame} Frame */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The tags of axe for all rules of WCAG 2.2 at level AA, including those from earlier versions. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Rules that belong to no version of WCAG but find serious violations. */
const SERIOUS = [
  'accesskeys',
  'aria-dialog-name',
  'aria-text',
  'aria-treeitem-name',
  'label-title-only',
  'tabindex',
];
const ALL_RULES = {
  runOnly: { type: 'tag', values: WCAG },
  rules: Object.fromEntries(SERIOUS.map((id) => [id, { enabled: true }])),
};
/** The only axe rule whose result depends on colours. */
const CONTRAST = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/**
 * The script that checks a page, or only the topmost dialog while a dialog is open, because the
 * page behind the dialog cannot be used. Frames are checked separately.
 * @param {object} rules
 */
const checking = (rules) => `axe.run(
  [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document,
  ${JSON.stringify({ ...rules, resultTypes: ['violations'], iframes: false })},
).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ target, any }) => id + ' ' + target.join(' ') + ' ' + (any[0]?.message ?? ''))))`;

/** @type {typeof import('./axe.mjs').settled} */
export const settled = async (page) => {
  await page.evaluate(`new Promise((done) => requestAnimationFrame(() =>
    requestAnimationFrame(done))).then(() => Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
      .map(({ finished }) => finished)))
    .then(() => undefined)`);
};

/**
 * The frames of a page in which colours can be checked. axe assumes a white background behind a
 * transparent frame, so its result would be wrong for transparent frames.
 * @param {Page} page
 */
const opaqueFrames = async (page) => {
  const isOpaque = await Promise.all(
    page
      .frames()
      .map((frame) =>
        frame.evaluate(`!/, 0\\)$/.test(getComputedStyle(document.body).backgroundColor)`),
      ),
  );
  return page.frames().filter((frame, index) => frame === page.mainFrame() || isOpaque[index]);
};

/** @param {Frame} frame @param {object} rules @returns {Promise<string[]>} */
const violationsIn = async (frame, rules) => {
  // Evaluates axe in the page instead of adding a script element, because the page's content
  // security policy may forbid foreign scripts.
  if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(`${AXE}; undefined`);
  return frame.evaluate(checking(rules));
};

/** @param {Page} page @returns {Promise<string[]>} */
const lightViolationsOn = async (page) => {
  await settled(page);
  const found = [];
  for (const frame of page.frames()) found.push(...(await violationsIn(frame, ALL_RULES)));
  return found;
};

/** @param {Page} page @returns {Promise<string[]>} */
const darkViolationsOn = async (page) => {
  await settled(page);
  const found = [];
  for (const frame of await opaqueFrames(page)) {
    found.push(...(await violationsIn(frame, CONTRAST)));
  }
  return found.map((one) => `dark: ${one}`);
};

/** @param {Page} page @returns {Promise<boolean>} */
const isDark = (page) => page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`);

/** @type {typeof import('./axe.mjs').violationsOn} */
export const violationsOn = async (page) => {
  if (await isDark(page)) await page.emulateMedia({ colorScheme: 'light' });
  return lightViolationsOn(page);
};

/** @type {typeof import('./axe.mjs').violationsInBoth} */
export const violationsInBoth = async (page) => {
  // The page stays in the mode that is checked last, because each change of the mode paints the
  // whole page again.
  if (await isDark(page)) {
    const dark = await darkViolationsOn(page);
    await page.emulateMedia({ colorScheme: 'light' });
    return [...dark, ...(await lightViolationsOn(page))];
  }
  const light = await lightViolationsOn(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light, ...(await darkViolationsOn(page))];
};
