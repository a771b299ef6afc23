import { runnersServers } from '../../test/support/servers.js';
import { startHere } from '../../test/support/start-here.js';
import { runAndCompare } from './main.js';

/**
 * Runs `npm run books` for a few days; the options `--days` and `--seed` of the command make longer
 * runs.
 */
test('the ledger equals the provider’s books to the cent after five days', async () => {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const holds = await runAndCompare({
    servers: runnersServers(),
    startApp: startHere,
    days: 5,
    seed: 1,
    say,
  });
  if (!holds) throw new Error(said.join('\n'));
}, 280_000);
