import { Failure } from '../infra/failure.mjs';

/**
 * The text of a file after the bug was planted.
 * @param {import('./mutant.d.mts').Mutant} mutant
 * @param {string} text
 */
export const planted = ({ name, file, from, to }, text) => {
  const places = text.split(from).length - 1;
  if (places === 1) return text.replace(from, () => to);
  throw new Failure(
    `'${name}' cannot be planted: its \`from\` text must occur exactly once in ${file}, but occurs ${places} times.`,
  );
};
