import { createDatabase, specPool } from '#testing';
import type pg from 'pg';

/** A new PostgreSQL database of the orchestrator, with which the simulated database is compared. */
export interface ContractDatabase {
  /** Connections with the rights of a worker. */
  readonly pool: pg.Pool;
  /** Connections with the rights of the database's owner. */
  readonly admin: pg.Pool;
  readonly drop: () => Promise<void>;
}

export const contractDatabase = async (): Promise<ContractDatabase> => {
  const database = await createDatabase('orchestrator');
  const pool = specPool(database.urlFor('worker'), 2);
  const admin = specPool(database.url, 2);
  const drop = async (): Promise<void> => {
    await Promise.all([pool.end(), admin.end()]);
    await database.drop();
  };
  return { pool, admin, drop };
};
