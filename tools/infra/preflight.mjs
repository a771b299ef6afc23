import { statfsSync } from 'node:fs';

import { Failure } from './failure.mjs';
import { isPortFree, sleep } from './processes.mjs';
import { stateDir } from './paths.mjs';

const MIN_FREE_MB = 600;

/**
 * The first supported version of each release line of Node; all later lines are supported. A spec
 * compares these versions with package.json.
 */
const MIN_NODES = [
  [20, 19],
  [22, 12],
  [24, 0],
];

/** @param {string} version */
export const isNodeFit = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [newestLine = 0] = MIN_NODES.at(-1) ?? [];
  return (
    major > newestLine || MIN_NODES.some(([line, least = 0]) => major === line && minor >= least)
  );
};

/** Throws a `Failure` when package.json does not support this Node. */
export const checkNode = () => {
  const { node } = process.versions;
  if (isNodeFit(node)) return;
  throw new Failure(
    `Node.js ${node} is not supported: install Node.js 24 (or 20.19, 22.12), then try again.`,
  );
};

export const checkDisk = () => {
  const { bavail, bsize } = statfsSync(stateDir());
  const freeMb = Math.floor((bavail * bsize) / 1_048_576);
  if (freeMb < MIN_FREE_MB) {
    throw new Failure(
      `Only ${freeMb} MB are free on the disk of ${stateDir()}: free ${MIN_FREE_MB} MB, then try again.`,
    );
  }
};

/**
 * Throws a `Failure` when a port is in use for longer than `graceMs`.
 * @param {Readonly<Record<string, number>>} ports
 * @param {number} graceMs
 */
export const checkPorts = async (ports, graceMs) => {
  const deadlineMs = Date.now() + graceMs;
  for (const [what, port] of Object.entries(ports)) {
    while (!(await isPortFree(port))) {
      if (Date.now() > deadlineMs) {
        throw new Failure(
          `Port ${port} (${what}) is used by another program: end that program, ` +
            'or shift all ports with PORT_BASE, e.g. `PORT_BASE=5100 npm run demo`.',
        );
      }
      await sleep(200);
    }
  }
};
