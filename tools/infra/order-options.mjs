import { randomInt } from 'node:crypto';

import { Failure } from './failure.mjs';

const MAX_ORDERS = 10_000;
const MAX_SEED = 4_294_967_295;

/**
 * Reads the options `--orders N` and `--seed N` of a command; by default the seed is random.
 * @param {readonly string[]} args
 * @param {{ usage: string, orders: number }} defaults `orders`: the default of `--orders`
 * @returns {{ orders: number, seed: number }}
 */
export const orderOptions = (args, { usage, orders }) => {
  const options = { orders, seed: randomInt(MAX_SEED) };
  for (let at = 0; at < args.length; at += 2) {
    const [name, text = ''] = args.slice(at);
    const value = Number(text);
    const max = name === '--orders' ? MAX_ORDERS : MAX_SEED;
    if (!['--orders', '--seed'].includes(name) || !/^\d+$/.test(text) || value > max) {
      throw new Failure(`usage: ${usage}`);
    }
    options[name.slice(2)] = value;
  }
  return options;
};
