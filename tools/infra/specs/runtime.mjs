/**
 * Jest's runtime without a module registry for each spec: Node loads what specs import, once a
 * process. Loading Nest for each spec took longer than most specs did, and code that was compiled
 * for each of them was never optimised.
 */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { mapOf } from './compiled.mjs';

const require = createRequire(import.meta.url);
/** Jest stores here what it notifies of a spec's tests. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

const pathOf = (source) => (source.startsWith('file:') ? fileURLToPath(source) : source);

/** Where the source map of each file lies, looked up once a stack names it. */
class SourceMaps extends Map {
  get(source) {
    if (!this.has(source)) this.set(source, mapOf(pathOf(source)));
    return super.get(source);
  }
}

const SOURCE_MAPS = new SourceMaps();

export default class NativeRuntime {
  /** The part of Jest that holds the tests of a spec: afresh for each. */
  requireInternalModule(path) {
    delete require.cache[require.resolve(path)];
    delete globalThis[EVENT_HANDLERS];
    return require(path);
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
