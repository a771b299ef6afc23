/**
 * Jest's runtime without a module world of its own for each spec: Node loads what specs import, once a
 * process. Loading Nest anew took more of the suite than most specs did, and code that was compiled
 * anew for each of them was never fast.
 */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { mapOf } from './compiled.mjs';

const require = createRequire(import.meta.url);
/** Jest keeps here who is told of a spec's tests. */
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
