import { relative, sep } from 'node:path';

import Sequencer from '@jest/test-sequencer';

import { ROOT } from './paths.mjs';

/** Whole products with servers, browsers and clocks; nothing in their files tells how long they take. */
const SLOW = ['test', 'tools'];

/** @param {{ path: string }} spec */
const isSlow = ({ path }) => SLOW.includes(relative(ROOT, path).split(sep)[0] ?? '');

/**
 * Puts between the specs that take long as many others as there are for each, and some more at the
 * end: whole products side by side hinder one another, and one that is left alone is waited for.
 */
export default class SlowAmongQuick extends Sequencer {
  /** @param {readonly { path: string }[]} specs */
  sort(specs) {
    const sorted = super.sort(specs);
    const slow = sorted.filter(isSlow);
    const quick = sorted.filter((spec) => !isSlow(spec));
    const each = slow.length === 0 ? 0 : Math.floor(quick.length / slow.length);
    const mixed = slow.flatMap((spec, n) => [spec, ...quick.slice(n * each, (n + 1) * each)]);
    return [...mixed, ...quick.slice(slow.length * each)];
  }
}
