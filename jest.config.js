/**
 * One configuration for all kinds of specs; `npm run test:unit` and the suite runner choose the
 * folders.
 */
export default {
  rootDir: '.',
  // Node itself loads all modules, so Jest transforms nothing and need not load Babel.
  transform: {},
  testEnvironment: './tools/infra/specs/environment.mjs',
  runtime: '<rootDir>/tools/infra/specs/runtime.mjs',
  testMatch: ['<rootDir>/{apps,libs,packages,examples,test,tools,bench}/**/*.spec.ts'],
  testSequencer: './tools/infra/slow-among-quick.mjs',
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.state'],
  // Long, because a busy machine is slow; the cost is that a spec that hangs is reported late.
  testTimeout: 240_000,
  // A worker of Jest keeps the modules of finished specs in memory; above this limit, Jest replaces
  // it by a new worker.
  workerIdleMemoryLimit: '1GB',
};
