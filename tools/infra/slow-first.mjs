import { relative, sep } from 'node:path';

import Sequencer from '@jest/test-sequencer';

import { ROOT } from './paths.mjs';

/** Whole products with servers, browsers and clocks; nothing in their files tells how long they take. */
const SLOW = ['test', 'tools'];

/** @param {{ path: string }} spec */
const isSlow = ({ path }) => SLOW.includes(relative(ROOT, path).split(sep)[0] ?? '');

/** Begins with the specs that take long, so that none of them is left alone at the end. */
export default class SlowFirst extends Sequencer {
  /** @param {readonly { path: string }[]} specs */
  sort(specs) {
    const sorted = super.sort(specs);
    return [...sorted.filter(isSlow), ...sorted.filter((spec) => !isSlow(spec))];
  }
}
