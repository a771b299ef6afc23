import { randomInt } from 'node:crypto';
import pg from 'pg';
import { checkAll } from '../../tools/chaos/checks/index.js';
import { runLoad } from '../../tools/chaos/load.js';
import { randomFrom } from '../../tools/chaos/random.js';
import { reportOf } from '../../tools/chaos/report.js';
import { runToCompletion } from '../../tools/chaos/rest.js';
import { factsOf } from '../../tools/chaos/run.js';
import { planOrders } from '../../tools/chaos/scenario.js';
import { Platform } from '../../tools/stack/platform.js';
import { startStack } from '../../tools/stack/stack.js';
import { readTopics } from '../../tools/stack/topics.js';
import { runnersServers } from '../support/servers.js';
import { startHere } from '../support/start-here.js';
import { TcpFaultProxy } from './tcp-fault-proxy.js';

/**
 * The apps handle orders while faults, chosen by a seed, cut, slow down and silence connections to
 * PostgreSQL and to the provider. After the faults, all work must end, and the checks of `npm run
 * chaos` compare the database, the topics and the sandbox.
 */

const ORDERS = 12;
const WHOLE_RUN_MS = 600_000;
const BUSINESS_RATE = 20;
const seed = Number(process.env['TCP_SEED'] ?? randomInt(1_000_000));

const portOf = (url: string): number => Number(new URL(url).port);

const through = (url: string, { port }: TcpFaultProxy): string => {
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String(port);
  return address.toString();
};

const queried = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

test(
  `all orders complete after connections to PostgreSQL and the provider broke (seed ${seed})`,
  async () => {
    const servers = runnersServers();
    const database = await TcpFaultProxy.start(portOf(servers.databaseUrl));
    const proxies = [database];
    const stack = await startStack({
      ...servers,
      startApp: startHere,
      name: 'tcp',
      apis: 1,
      workers: 2,
      reroute: async (env) => {
        const provider = await TcpFaultProxy.start(portOf(env['PROVIDER_URL'] ?? ''));
        proxies.push(provider);
        return {
          ...env,
          DATABASE_URL: through(env['DATABASE_URL'] ?? '', database),
          PROVIDER_URL: through(env['PROVIDER_URL'] ?? '', provider),
          API_REQUESTS_PER_SECOND: '1000000',
        };
      },
    });
    try {
      await stack.sandbox.setRate(BUSINESS_RATE);
      for (const [index, proxy] of proxies.entries()) {
        proxy.disturb(randomFrom(seed, `wire ${index}`), 120);
      }
      const platform = new Platform(
        stack.apis.map(({ url }) => url),
        stack.apiKey,
        stack.merchantId,
      );
      const { sandbox } = stack;
      const accepted = await runLoad(
        { platform, sandbox, width: 6, onPlaced: () => undefined },
        planOrders(seed, ORDERS),
      );
      for (const proxy of proxies) await proxy.heal();
      await runToCompletion(stack, () => undefined);
      const published = await readTopics(stack);
      const facts = await queried(stack.databases.orchestrator, (ours) =>
        queried(stack.databases.sandbox, (theirs) =>
          factsOf({ accepted, published }, ours, theirs),
        ),
      );
      const { holds, lines } = reportOf(checkAll(facts), seed);
      if (!holds) throw new Error(lines.join('\n'));
      for (const { met } of proxies) {
        expect(Object.values(met).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(10);
      }
    } finally {
      await stack.stop();
      for (const proxy of proxies) await proxy.end();
    }
  },
  WHOLE_RUN_MS,
);
