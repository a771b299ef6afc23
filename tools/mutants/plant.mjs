import { Failure } from '../infra/failure.mjs';

/** The changes of a bug. @param {import('./mutant.d.mts').Mutant} mutant */
export const changesOf = (mutant) => (mutant.also === undefined ? [mutant] : [mutant, mutant.also]);

/**
 * The text of a file after a change of the bug `name`.
 * @param {string} name
 * @param {import('./mutant.d.mts').Change} change
 * @param {string} text
 */
export const planted = (name, { file, from, to }, text) => {
  const places = text.split(from).length - 1;
  if (places === 1) return text.replace(from, () => to);
  throw new Failure(
    `'${name}' cannot be planted: its \`from\` text must occur exactly once in ${file}, but occurs ${places} times.`,
  );
};
