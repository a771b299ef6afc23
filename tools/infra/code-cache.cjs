/**
 * Caches the code that V8 has compiled from the bundles, because compiling took a third of each
 * start. A cache file is valid only for one version and configuration of V8 and for one version of
 * the code. Its name contains both: a tag of V8, and the hash in the bundle's name.
 */
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire, Module } = require('node:module');
const { dirname, join } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { constants, Script } = require('node:vm');

const CHUNKS = join(__dirname, '..', '..', 'dist', 'programs', 'chunks');
const ending = `.${cachedDataVersionTag().toString(16)}.v8`;
const compile = Module.prototype._compile;
/** The scripts that this process compiled itself because the cache did not contain them. */
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
  // The file is written under another name and then renamed, because other processes may read it at
  // any time.
  const unfinished = `${place}.${process.pid}`;
  try {
    writeFileSync(unfinished, script.createCachedData());
    renameSync(unfinished, place);
  } catch {
    // The cache file could not be written, e.g. because the bundles were deleted. The next process
    // compiles the code again.
    rmSync(unfinished, { force: true });
  }
};

// The cache is written when the process ends, because then all functions that it needs are
// compiled.
process.on('exit', () => {
  for (const [place, script] of compiled) store(place, script);
});
