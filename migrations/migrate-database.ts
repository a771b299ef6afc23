import { orchestratorDataSource } from './orchestrator/data-source.js';
import { sandboxDataSource } from './sandbox/data-source.js';

const SOURCES = { orchestrator: orchestratorDataSource, sandbox: sandboxDataSource } as const;

/**
 * The server's limits are for apps. A migration may have to read the whole log, or build an index:
 * cut off, it would be cut off anew each time. `lock_timeout` stays: nobody waits long behind one.
 */
const NO_LIMITS = { options: '-c statement_timeout=0 -c transaction_timeout=0' };

/** Brings a database of a kind up to date; answers how many migrations were run. */
export const migrateDatabase = async (
  kind: keyof typeof SOURCES, url: string,
): Promise<number> => {
  const source = await SOURCES[kind](url).setOptions({ extra: NO_LIMITS }).initialize();
  try {
    return (await source.runMigrations()).length;
  } finally {
    await source.destroy();
  }
};
