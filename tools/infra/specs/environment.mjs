import { appendFileSync } from 'node:fs';

import { cpuSecondsOfTree } from '../cpu-seconds.mjs';

/**
 * Jest's environment of a spec, which is Node's own. Changes to `process.env` end with the spec.
 * The CPU seconds of the spec and of the processes it started are written to the file
 * TEST_CPU_FILE.
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
