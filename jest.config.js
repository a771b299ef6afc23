import { LIB_ALIASES } from './tools/infra/lib-aliases.mjs';

/** One configuration for every layer; `npm run test:unit` and the suite runner choose the folders. */
export default {
  rootDir: '.',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{apps,libs,packages,examples,test,tools,bench}/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: {
    ...Object.fromEntries([...LIB_ALIASES].map(([alias, index]) => [`^${alias}$`, `<rootDir>/${index}`])),
    '^payment-orchestrator-subscriber$': '<rootDir>/packages/subscriber/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  testSequencer: './tools/infra/slow-among-quick.mjs',
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.state'],
  // Enough on a busy machine, too: whoever hangs is told a little later.
  testTimeout: 60_000,
  // Modules of a spec that is over stay in memory: a worker that holds much makes room for a new one.
  workerIdleMemoryLimit: '1GB',
};
