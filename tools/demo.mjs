/**
 * `npm run demo [-- --once --reset --story]`: sets everything up, takes one order to its capture,
 * follows its money to the bank and into the ledger, onboards one merchant, and prints all of it.
 * Then it runs until Ctrl-C. With `--once` it ends instead, with exit code 0 if everything
 * succeeded. `--reset` deletes earlier data first. On kept data the story runs only with `--story`
 * or `--once`.
 */
import { runDemo } from './demo/run.mjs';
import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';

const OPTIONS = ['--once', '--reset', '--story'];

await runTool(() => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => !OPTIONS.includes(arg));
  if (unknown !== undefined) {
    throw new Failure(
      `Unknown argument '${unknown}': the demo accepts --once, --reset and --story.`,
    );
  }
  return runDemo({
    once: args.includes('--once'),
    reset: args.includes('--reset'),
    story: args.includes('--story'),
  });
});
