import type { Pool } from 'pg';
import { ResolveResult } from '#operations';
import {
  agreeOnProduction,
  createLogger,
  createPool,
  createSecretBox,
  envInt,
  startBusinessClock,
} from '#platform';
import { openStore } from '#orchestrator';
import { ProviderAccounts } from '#psp';
import { HostedAdapter, providerConfigFromEnv, ProviderTransport } from '#psp-hosted';
import { commandLineOrigin } from './command-line.js';
import { type OpsBusiness, runOps, wordsOf } from './ops-commands.js';
import { reportFailure } from './report-failure.js';

/** Opens the event store and the clock. Adds a function that stops the clock to `closing`. */
const businessWith = async (pool: Pool, closing: (() => unknown)[]): Promise<OpsBusiness> => {
  const clock = await startBusinessClock(createLogger('ops', { level: 'warn' }));
  closing.push(() => clock.stop());
  return { store: openStore(pool, clock), clock };
};

/**
 * Opens the object that resolves unknown results by reads of the provider. Adds functions that
 * close its connections to `closing`.
 */
const resolveResultWith = async (
  pool: Pool,
  closing: (() => unknown)[],
): Promise<ResolveResult> => {
  const { providerUrl, publicWebhookUrl, secretsKey } = providerConfigFromEnv(
    envInt('PORT_BASE', 4_100, { min: 1, max: 65_000 }),
  );
  const transport = new ProviderTransport(providerUrl);
  const { store, clock } = await businessWith(pool, closing);
  closing.push(() => transport.close());
  const accounts = new ProviderAccounts({
    pool,
    adapters: [new HostedAdapter(transport)],
    secretBox: createSecretBox(secretsKey),
    publicWebhookUrl,
  });
  return new ResolveResult(pool, store, clock, async (accountId) => {
    const client = await accounts.clientOf(accountId);
    return client && client.payments;
  });
};

/** `npm run ops -- …`: repairs failed provider requests, blocked workflows and other problems. */
const run = async (): Promise<void> => {
  const pool = createPool({ applicationName: 'ops', max: 4 }, (error) => {
    process.stderr.write(`an idle database connection was closed: ${error.message}\n`);
  });
  const closing: (() => unknown)[] = [];
  try {
    const args = process.argv.slice(2);
    // Rejects unknown options before the tool connects to the database.
    wordsOf(args);
    if (args.length > 0) await agreeOnProduction(pool);
    const parts = {
      pool,
      origin: commandLineOrigin(),
      resolveResult: () => resolveResultWith(pool, closing),
      business: () => businessWith(pool, closing),
    };
    process.stdout.write(`${await runOps(parts, args)}\n`);
  } finally {
    for (const close of closing) await close();
    await pool.end();
  }
};

try {
  await run();
} catch (error) {
  reportFailure(error);
}
