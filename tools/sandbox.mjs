/**
 * `npm run sandbox [-- --reset] [-- --forward <url>]`: starts only the provider's sandbox, on an
 * embedded PostgreSQL or on the database that SANDBOX_DATABASE_URL names. It runs until Ctrl-C or
 * SIGTERM, and then ends everything that it started. `--forward` also sends the webhooks of every
 * account to the URL, which must be an http address of this machine.
 */
import { parseArgs } from 'node:util';

import { runSandbox } from './demo/sandbox-alone.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';

/** @param {readonly string[]} args */
const optionsOf = (args) => {
  try {
    const options = { reset: { type: 'boolean', default: false }, forward: { type: 'string' } };
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Failure(`${error.message}. The sandbox accepts --reset and --forward <url>.`);
  }
};

await runTool(() => {
  const { reset, forward } = optionsOf(process.argv.slice(2));
  if (forward !== undefined) process.env.SANDBOX_FORWARD_URL = forward;
  return runSandbox({ reset });
});
