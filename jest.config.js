/** One configuration for every layer; `npm run test:unit` and the suite runner choose the folders. */
export default {
  rootDir: '.',
  testEnvironment: './tools/infra/specs/environment.mjs',
  runtime: '<rootDir>/tools/infra/specs/runtime.mjs',
  testMatch: ['<rootDir>/{apps,libs,packages,examples,test,tools,bench}/**/*.spec.ts'],
  testSequencer: './tools/infra/slow-among-quick.mjs',
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.state'],
  // Enough on a busy machine, too: a hanging spec is only reported later.
  testTimeout: 60_000,
  // Modules of a spec that is over stay in memory: a worker that holds much makes room for a new one.
  workerIdleMemoryLimit: '1GB',
};
