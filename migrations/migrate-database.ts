import { orchestratorDataSource } from './orchestrator/data-source.js';
import { sandboxDataSource } from './sandbox/data-source.js';

const SOURCES = { orchestrator: orchestratorDataSource, sandbox: sandboxDataSource } as const;

/** Brings a database of a kind up to date; answers how many migrations were run. */
export const migrateDatabase = async (
  kind: keyof typeof SOURCES, url: string,
): Promise<number> => {
  const source = await SOURCES[kind](url).initialize();
  try {
    return (await source.runMigrations()).length;
  } finally {
    await source.destroy();
  }
};
