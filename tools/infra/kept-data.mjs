import { existsSync } from 'node:fs';

import { Failure } from './failure.mjs';

/** @typedef {import('./kept-data.mjs').Part} Part */

/** @param {readonly Part[]} parts */
const namesOf = (parts) => parts.map(({ name }) => name).join(' and ');

/** @type {typeof import('./kept-data.mjs').checkKeptData} */
export const checkKeptData = ({ data, secrets, reset }) => {
  const isThere = ({ file }) => existsSync(file);
  if (!data.some(isThere)) return;
  const missing = [secrets, ...data].filter((part) => !isThere(part));
  if (missing.length === 0) return;
  throw new Failure(
    `An earlier run has left ${namesOf(data.filter(isThere))}, which cannot be used without ` +
      `${namesOf(missing)}: delete all data and start again with \`${reset}\`.`,
  );
};
