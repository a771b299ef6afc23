/**
 * `npm run sandbox [-- --reset]`: starts only the provider, on an embedded PostgreSQL or on the
 * database that SANDBOX_DATABASE_URL names. It runs until Ctrl-C or SIGTERM, and then ends
 * everything that it started.
 */
import { runSandbox } from './demo/sandbox-alone.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';

await runTool(() => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg !== '--reset');
  if (unknown !== undefined) {
    throw new Failure(`Unknown argument '${unknown}': the sandbox accepts --reset.`);
  }
  return runSandbox({ reset: args.includes('--reset') });
});
