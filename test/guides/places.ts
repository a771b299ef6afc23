import { escaped } from './alike.js';

/** Names of the documentation, such as a URL, with those of this run. */
export type Places = readonly (readonly [shown: string, actual: string])[];

/**
 * Replaces the first item of each pair by the second, in one pass: no replacement is replaced
 * again, and no part of a longer port number is.
 */
export const replaced = (text: string, pairs: Places): string => {
  const by = new Map(pairs);
  const pattern = pairs.map(([from]) => String.raw`${escaped(from)}(?!\d)`).join('|');
  return text.replaceAll(new RegExp(pattern, 'g'), (found) => by.get(found) ?? found);
};
