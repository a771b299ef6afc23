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
  // The time limit of a test is long, because a busy machine is slow. A spec that hangs is
  // therefore reported late.
  testTimeout: 240_000,
  // The memory of a Jest worker above which Jest replaces it. A worker keeps the modules of all
  // specs that it has run.
  workerIdleMemoryLimit: '1GB',
};
