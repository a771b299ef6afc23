/**
 * `npm run screenshots -- DIR`: takes a screenshot of every page of the running demo: the console,
 * the payment and bank pages, the shop and the sandbox's User Area; in English and French, light,
 * dark and on a phone. `-- docs/pictures --readme`: takes only the README's screenshots. The user
 * is given in CONSOLE_USER and CONSOLE_PASSWORD. Take the README's screenshots first: a run for all
 * pages makes payments directly at the sandbox, and these payments later appear as reconciliation
 * breaks.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';

import { portsOfDemo, secretsOfDemo } from './demo/plan.mjs';
import { chromiumPath } from './infra/chromium.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';
import { say } from './infra/say.mjs';
import { takeArea } from './screenshots/area-pages.mjs';
import { consolePages, LOADED, signIn, takeConsole } from './screenshots/console-pages.mjs';
import { LOCALES, Pictures, WIDE } from './screenshots/variants.mjs';
import { takePayer } from './screenshots/payer-pages.mjs';

/** The names and variants of the README's pictures. Each picture has at most 150 KB. */
const README = [
  ['overview', 'light'],
  ['payment-stuck', 'dark'],
];
const README_VIEWPORT = { width: 1_240, height: 680 };
const README_BYTES = 150_000;

const settings = () => {
  const { CONSOLE_USER: user, CONSOLE_PASSWORD: password } = process.env;
  const {
    positionals: [folder],
    values,
  } = parseArgs({
    allowPositionals: true,
    options: { readme: { type: 'boolean', default: false } },
  });
  if (folder === undefined) throw new Failure('Name a folder: npm run screenshots -- DIR.');
  if (user === undefined || password === undefined) {
    throw new Failure(
      'Set CONSOLE_USER and CONSOLE_PASSWORD to those of a user who has replaced the one-time password.',
    );
  }
  const ports = portsOfDemo();
  const at = (port) => `http://127.0.0.1:${port}`;
  return {
    url: at(ports.admin),
    sandboxUrl: at(ports.sandbox),
    sandboxKey: secretsOfDemo().sandboxTestKey,
    shopUrl: at(ports.shop),
    user,
    password,
    folder: resolve(folder),
    isReadme: values.readme,
  };
};

const openPage = async (browser, locale) => {
  const context = await browser.newContext({ locale, viewport: WIDE, reducedMotion: 'reduce' });
  return context.newPage();
};

const allPictures = async (browser, chosen) => {
  let taken = 0;
  for (const [language, locale] of Object.entries(LOCALES)) {
    const page = await openPage(browser, locale);
    const pictures = new Pictures(page, chosen.folder, language);
    await takePayer(page, chosen, pictures);
    await takeArea(page, chosen, pictures);
    await takeConsole(page, chosen, pictures);
    taken += pictures.taken;
  }
  return taken;
};

const readmePictures = async (browser, chosen) => {
  const { url, folder } = chosen;
  const page = await openPage(browser, LOCALES.en);
  await signIn(page, chosen);
  const pages = await consolePages(page, url);
  await page.setViewportSize(README_VIEWPORT);
  for (const [name, colorScheme] of README) {
    if (pages[name] === undefined)
      throw new Failure(
        `The picture ${name} needs an entry in its list, but the list is empty: run the demo first.`,
      );
    await page.emulateMedia({ colorScheme });
    await page.goto(`${url}${pages[name]}`);
    await page.locator(LOADED).waitFor();
    const { length } = await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    if (length > README_BYTES)
      throw new Failure(
        `The picture of ${name} has ${length} bytes; the README's pictures may have at most ${README_BYTES}.`,
      );
  }
  return README.length;
};

await runTool(async () => {
  const chosen = settings();
  mkdirSync(chosen.folder, { recursive: true });
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Failure('Chromium was not found: set CHROMIUM_PATH.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const take = chosen.isReadme ? readmePictures : allPictures;
  const taken = await take(browser, chosen);
  await browser.close();
  say(`${taken} pictures in ${chosen.folder}`);
  return 0;
});
