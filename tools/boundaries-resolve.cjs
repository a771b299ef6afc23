/**
 * Resolves `#kernel` to libs/kernel/index.ts for dependency-cruiser, because package.json maps it
 * to the compiled file in dist.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sourceOf = (built) => join(root, built.replace('./dist/', '').replace(/\.js$/, '.ts'));

module.exports = {
  resolve: {
    alias: Object.fromEntries(
      Object.entries(imports).map(([name, built]) => [`${name}$`, sourceOf(built)]),
    ),
  },
};
