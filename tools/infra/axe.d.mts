import type { Page } from 'playwright-core';

/** Waits until the browser has painted a change, and until all finite animations have ended. */
export function settled(page: Page): Promise<void>;

/**
 * The accessibility violations that axe finds in light mode on the page in its present state and in
 * the page's frames, one line per element.
 */
export function violationsOn(page: Page): Promise<readonly string[]>;

/**
 * The violations of the page in light mode, and in dark mode those of the contrast rule, which is
 * the only rule whose result depends on colours. The page stays in the mode that is checked last.
 */
export function violationsInBoth(page: Page): Promise<readonly string[]>;
