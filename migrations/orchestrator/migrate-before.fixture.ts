import type { MigrationInterface } from 'typeorm';
import { orchestratorDataSource } from './data-source.js';

/** Runs all migrations that are left, or those before this one, each in its own transaction. */
export const migrateBefore = async (url: string, before?: string): Promise<void> => {
  const source = orchestratorDataSource(url);
  const all = source.options.migrations as (new () => MigrationInterface)[];
  const end = before === undefined ? all.length : all.findIndex(({ name }) => name === before);
  await source.setOptions({ migrations: all.slice(0, end) }).initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
};
