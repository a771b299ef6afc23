import { relative, sep } from 'node:path';

import Sequencer from '@jest/test-sequencer';

import { ROOT } from './paths.mjs';

/**
 * The folders of slow specs, which use servers, browsers and clocks. Jest would order specs by file
 * size, which does not show their duration.
 */
const SLOW = ['test', 'tools'];

/** @param {{ path: string }} spec */
const isSlow = ({ path }) => SLOW.includes(relative(ROOT, path).split(sep)[0] ?? '');

/**
 * The share of the quick specs among which the slow specs are distributed. The other quick specs
 * run last.
 */
const MIXED = 0.8;

/**
 * Orders the specs: slow specs are evenly distributed among quick specs, and only quick specs are
 * at the end. Slow specs that run concurrently delay each other, and a slow spec that starts last
 * delays the end of the run.
 */
export default class SlowAmongQuick extends Sequencer {
  /** @param {readonly { path: string }[]} specs */
  sort(specs) {
    const sorted = super.sort(specs);
    const slow = sorted.filter(isSlow);
    const quick = sorted.filter((spec) => !isSlow(spec));
    const before = (n) => Math.floor((n * MIXED * quick.length) / slow.length);
    const mixed = slow.flatMap((spec, n) => [spec, ...quick.slice(before(n), before(n + 1))]);
    return slow.length === 0 ? quick : [...mixed, ...quick.slice(before(slow.length))];
  }
}
