import { Rejection } from '#kernel';
import { ConfigError, createPool, envText } from '#platform';
import { runOps } from './ops-commands.js';

/** `npm run ops -- …`: stuck calls and parked keys, for a person. */
const run = async (): Promise<void> => {
  const pool = createPool({ applicationName: 'ops', max: 4 }, (error) => {
    process.stderr.write(`an idle connection broke: ${error.message}\n`);
  });
  try {
    const actor = `user:${envText('USER', 'ops')}`;
    process.stdout.write(`${await runOps({ pool, actor }, process.argv.slice(2))}\n`);
  } finally {
    await pool.end();
  }
};

try {
  await run();
} catch (error) {
  // What a person can put right is said in one sentence; a bug keeps its stack.
  const expected =
    error instanceof Rejection || error instanceof ConfigError || error instanceof TypeError;
  const text = expected ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
