/**
 * One configuration for all kinds of specs; `npm run test:unit` and the suite runner choose the
 * folders.
 */
export default {
  rootDir: '.',
  testEnvironment: './tools/infra/specs/environment.mjs',
  runtime: '<rootDir>/tools/infra/specs/runtime.mjs',
  testMatch: ['<rootDir>/{apps,libs,packages,examples,test,tools,bench}/**/*.spec.ts'],
  testSequencer: './tools/infra/slow-among-quick.mjs',
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.state'],
  // Long, because a busy machine is slow; the cost is that a spec that hangs is reported late.
  testTimeout: 60_000,
  // The modules of finished specs stay in memory: above this limit, a new worker replaces the
  // worker.
  workerIdleMemoryLimit: '1GB',
};
