import { spawn, spawnSync } from 'node:child_process';

import { track } from './processes.mjs';

/**
 * Runs a command and returns its exit code and output. The command is ended when this process ends.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export const run = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const stdio = ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { ...options, detached: true, stdio });
    track(child, { name: command });
    let output = '';
    const take = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });

/** @param {string} command @param {readonly string[]} args */
export const answers = (command, args) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** @param {string} output @param {number} [lines] */
export const lastLines = (output, lines = 15) =>
  output.trimEnd().split('\n').slice(-lines).join('\n');
