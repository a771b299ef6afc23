/** Jest's environment of a spec that is Node's own; what a spec sets in `process.env` ends with it. */
export default class NativeEnvironment {
  global = globalThis;
  #env = { ...process.env };

  setup() {}

  teardown() {
    process.env = this.#env;
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'import'];
  }
}
