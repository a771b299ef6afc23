import type { Page } from 'playwright-core';
import { settled } from '../../../tools/infra/axe.mjs';

/** The number of pixels by which a page is wider than its window. */
export const overflowOf = async (page: Page): Promise<number> => {
  await settled(page);
  return page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
};
