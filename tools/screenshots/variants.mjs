import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

export const WIDE = { width: 1_440, height: 900 };
const VARIANTS = {
  light: { colorScheme: 'light', viewport: WIDE },
  dark: { colorScheme: 'dark', viewport: WIDE },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
};

export const LOCALES = { en: 'en-GB', fr: 'fr-FR' };

const TWO_FRAMES =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
const END_TRANSITIONS = `document.getAnimations()
  .filter((each) => each instanceof CSSTransition)
  .forEach((each) => each.finish())`;

/** Waits until the layout fits a new window size, and ends all transitions. */
const settle = async (page) => {
  await page.evaluate(TWO_FRAMES);
  await page.evaluate(END_TRANSITIONS);
  await page.evaluate(TWO_FRAMES);
};

/**
 * Makes the window as high as the page's content, so that a menu with a fixed position fills the
 * height.
 */
const showWhole = async (page, { width, height }) => {
  await settle(page);
  const tall = await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(height, tall) });
  await settle(page);
};

/** Takes pictures in one language: light, dark and on a phone. */
export class Pictures {
  taken = 0;
  #page;
  #folder;

  constructor(page, folder, language) {
    this.#page = page;
    this.#folder = join(folder, language);
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Takes screenshots of the page's present state in all variants. */
  async take(name) {
    for (const [variant, { colorScheme, viewport }] of Object.entries(VARIANTS)) {
      await this.#page.emulateMedia({ colorScheme });
      await this.#page.setViewportSize(viewport);
      await showWhole(this.#page, viewport);
      await this.#page.screenshot({ path: join(this.#folder, `${name}-${variant}.png`) });
      this.taken += 1;
    }
    await this.#page.emulateMedia({ colorScheme: 'light' });
    await this.#page.setViewportSize(WIDE);
  }
}

/** The path of the first link on the page to a page below `path`; null if there is none. */
export const firstLink = async (page, path) => {
  const link = page.locator(`main a[href^="${path}"], tbody a[href^="${path}"]`).first();
  return (await link.count()) > 0 ? link.getAttribute('href') : null;
};
