import { relative, sep } from 'node:path';

import Sequencer from '@jest/test-sequencer';

import { ROOT } from './paths.mjs';

/** Whole products with servers, browsers and clocks; their file size says nothing of their time. */
const SLOW = ['test', 'tools'];

/** @param {{ path: string }} spec */
const isSlow = ({ path }) => SLOW.includes(relative(ROOT, path).split(sep)[0] ?? '');

/**
 * Spreads the quick specs evenly between the slow ones, with some more at the end: whole products
 * side by side slow one another down, and one that runs alone at the end is waited for.
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
