/**
 * Stores what V8 compiled of the programs' bundles beside them, and reads it when the next process starts:
 * compiling took a third of each start. A file is valid only for the same version and flags of V8,
 * and for the same code; its name contains all of them, the code by the hash in the bundle's name.
 */
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire, Module } = require('node:module');
const { dirname, join } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { constants, Script } = require('node:vm');

const CHUNKS = join(__dirname, '..', '..', 'dist', 'programs', 'chunks');
const ending = `.${cachedDataVersionTag().toString(16)}.v8`;
const compile = Module.prototype._compile;
/** The scripts that this process compiled itself. */
const compiled = new Map();

/** @param {string} place of the cached data */
const readCached = (place) => {
  try {
    return readFileSync(place);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
};

Module.prototype._compile = function compileCached(content, filename, ...others) {
  if (!filename.startsWith(CHUNKS)) return compile.call(this, content, filename, ...others);
  const place = `${filename}${ending}`;
  const script = new Script(Module.wrap(content), {
    filename,
    cachedData: readCached(place),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (script.cachedDataRejected !== false) compiled.set(place, script);
  const start = script.runInThisContext();
  return start.call(
    this.exports,
    this.exports,
    createRequire(filename),
    this,
    filename,
    dirname(filename),
  );
};

/** @param {string} place @param {import('node:vm').Script} script */
const store = (place, script) => {
  // Written atomically, because other processes read the file.
  const unfinished = `${place}.${process.pid}`;
  try {
    writeFileSync(unfinished, script.createCachedData());
    renameSync(unfinished, place);
  } catch {
    // Without the file the next process compiles again, as if the bundles had been deleted meanwhile.
    rmSync(unfinished, { force: true });
  }
};

// Stored when the process ends, because only then all functions that it needs are compiled.
process.on('exit', () => {
  for (const [place, script] of compiled) store(place, script);
});
