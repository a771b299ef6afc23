import { statfsSync } from 'node:fs';

import { Failure } from './failure.mjs';
import { isPortFree, sleep } from './processes.mjs';
import { stateDir } from './paths.mjs';

const MIN_FREE_MB = 600;

/** Throws a `Failure` when this Node is older than package.json asks for. */
export const checkNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Failure(
      `Node.js ${process.versions.node} is too old: install Node.js 20.19 or newer, then try again.`,
    );
  }
};

/** Throws a `Failure` when the disk is nearly full. */
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
 * Throws a `Failure` when a port stays taken for `graceMs`.
 * @param {Readonly<Record<string, number>>} ports @param {number} graceMs
 */
export const checkPorts = async (ports, graceMs) => {
  const deadlineMs = Date.now() + graceMs;
  for (const [what, port] of Object.entries(ports)) {
    while (!(await isPortFree(port))) {
      if (Date.now() > deadlineMs) {
        throw new Failure(
          `Port ${port} (${what}) is taken: end the program that uses it, ` +
            'or shift all ports with PORT_BASE, e.g. `PORT_BASE=5100 npm run demo`.',
        );
      }
      await sleep(200);
    }
  }
};
