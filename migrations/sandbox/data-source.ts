import { DataSource } from 'typeorm';
import { Sandbox1763700000000 } from './1763700000000-sandbox.js';

/** The sandbox's database with its migrations, not yet connected. */
export const sandboxDataSource = (url: string): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    applicationName: 'sandbox-migrate',
    migrations: [Sandbox1763700000000],
    migrationsTableName: 'sandbox_migrations',
    migrationsTransactionMode: 'each',
  });
