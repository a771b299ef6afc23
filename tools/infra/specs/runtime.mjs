/**
 * A Jest runtime in which Node itself loads all modules, and only once for each process. Jest would
 * load all modules again for each spec: loading Nest took longer than most specs, and the code was
 * never optimised.
 */
import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { mapOf } from './compiled.mjs';
import { keepFormattedFrames } from './stack-traces.mjs';

keepFormattedFrames();

const require = createRequire(import.meta.url);
/** The symbol under which Jest stores the handlers of a spec's test events. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

const pathOf = (source) => (source.startsWith('file:') ? fileURLToPath(source) : source);

/**
 * Source maps by file. The path of a source map is determined when a stack trace first needs it.
 */
class SourceMaps extends Map {
  get(source) {
    if (!this.has(source)) this.set(source, mapOf(pathOf(source)));
    return super.get(source);
  }
}

const SOURCE_MAPS = new SourceMaps();

/**
 * Replaces the `AsyncLocalStorage` in which Jest stores the running test by a variable, which is
 * enough because tests run one after another. Jest creates such a storage for each spec, and each
 * storage slows down all promises of the process: after 40 specs, an `await` took 50 times as long.
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

/**
 * @param {() => unknown} load loads a module that creates an `AsyncLocalStorage` for the running
 *   test
 */
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
  /**
   * Loads Jest's module that stores the tests of a spec. Each spec gets a new copy of this module,
   * while all specs share Jest's other modules.
   */
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
