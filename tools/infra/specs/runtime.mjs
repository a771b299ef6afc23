/**
 * Jest's runtime without a module registry for each spec: Node loads what specs import, once for
 * each process. Loading Nest again for each spec took longer than most specs did, and code that was
 * compiled again for each of them was never optimised.
 */
import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { mapOf } from './compiled.mjs';

const require = createRequire(import.meta.url);
/** The symbol under which Jest stores the handlers of a spec's test events. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

const pathOf = (source) => (source.startsWith('file:') ? fileURLToPath(source) : source);

/** The paths of the files' source maps, each found when a stack first names its file. */
class SourceMaps extends Map {
  get(source) {
    if (!this.has(source)) this.set(source, mapOf(pathOf(source)));
    return super.get(source);
  }
}

const SOURCE_MAPS = new SourceMaps();

/**
 * The running test, for Jest, in place of an `AsyncLocalStorage`. Each of those follows every
 * promise of the process, and Jest makes one for each spec: after 40 specs an `await` took 50 times
 * as long. Tests run one after the other, so a variable is enough.
 */
class RunningTest {
  #store;

  getStore() {
    return this.#store;
  }

  async run(store, callback) {
    const before = this.#store;
    this.#store = store;
    try {
      return await callback();
    } finally {
      this.#store = before;
    }
  }
}

/** @param {() => unknown} load a module that makes a storage for the running test */
const withRunningTest = (load) => {
  const name = 'AsyncLocalStorage';
  const own = Object.getOwnPropertyDescriptor(asyncHooks, name);
  Object.defineProperty(asyncHooks, name, {
    configurable: true,
    enumerable: true,
    value: RunningTest,
  });
  try {
    return load();
  } finally {
    Object.defineProperty(asyncHooks, name, own);
  }
};

export default class NativeRuntime {
  /** The module in which Jest stores the tests of a spec is loaded again for each spec. */
  requireInternalModule(path) {
    delete require.cache[require.resolve(path)];
    delete globalThis[EVENT_HANDLERS];
    return withRunningTest(() => require(path));
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return SOURCE_MAPS;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
