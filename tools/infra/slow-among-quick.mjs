import { relative, sep } from 'node:path';

import Sequencer from '@jest/test-sequencer';

import { ROOT } from './paths.mjs';

/**
 * Specs of whole products with servers, browsers and clocks; the size of their files does not
 * predict their duration.
 */
const SLOW = ['test', 'tools'];

/** @param {{ path: string }} spec */
const isSlow = ({ path }) => SLOW.includes(relative(ROOT, path).split(sep)[0] ?? '');

/**
 * Spreads the quick specs evenly between the slow ones, and leaves some quick ones for the end.
 * Slow specs that run at the same time delay one another, and the run would have to wait for a slow
 * spec that starts at the end.
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
