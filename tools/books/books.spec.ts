import { runnersServers } from '../../test/support/servers.js';
import { runAndCompare } from './main.js';

/** A short run of `npm run books`; `--days` and `--seed` of the command make longer ones. */
test('five days of money, on all the real parts: the books agree to the cent', async () => {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const holds = await runAndCompare({ servers: runnersServers(), days: 5, seed: 1, say });
  if (!holds) throw new Error(said.join('\n'));
}, 280_000);
