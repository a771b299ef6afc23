import { DataSource } from 'typeorm';
import { Orchestrator1760000000690 } from './1760000000690-orchestrator.js';
import { CapturedAmounts1760000000710 } from './1760000000710-captured-amounts.js';

/** The orchestrator's database, for its migrations. */
export const orchestratorDataSource = (url: string): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    migrations: [Orchestrator1760000000690, CapturedAmounts1760000000710],
    migrationsTransactionMode: 'each',
  });
