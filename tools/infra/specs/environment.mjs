import { appendFileSync } from 'node:fs';

import { cpuSecondsOfTree } from '../cpu-seconds.mjs';

/**
 * The Jest environment of all specs. Unlike Jest's own environment, it uses the globals of Node
 * itself instead of copies. It restores `process.env` after each spec, and appends the CPU seconds
 * of the spec and its processes to the file in TEST_CPU_FILE.
 */
export default class NativeEnvironment {
  global = globalThis;
  #env = { ...process.env };
  #beforeSeconds = cpuSecondsOfTree(process.pid);
  #spec;

  constructor(_config, { testPath }) {
    this.#spec = testPath;
  }

  setup() {}

  teardown() {
    process.env = this.#env;
    const { TEST_CPU_FILE } = process.env;
    if (TEST_CPU_FILE === undefined) return;
    const cpuSeconds = cpuSecondsOfTree(process.pid) - this.#beforeSeconds;
    appendFileSync(TEST_CPU_FILE, `${JSON.stringify({ spec: this.#spec, cpuSeconds })}\n`);
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'import'];
  }
}
