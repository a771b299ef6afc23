import { createDatabase, specPool } from '#testing';
import type pg from 'pg';

/** A new PostgreSQL database of the orchestrator, with which the simulated database is compared. */
export interface ContractDatabase {
  /** Connections with the rights of a worker. */
  readonly pool: pg.Pool;
  /** Connections with the rights of the database's owner. */
  readonly admin: pg.Pool;
}

/** The database of a spec, which exists from before its first test until after its last. */
export const contractDatabase = (): ContractDatabase => {
  let opened: (ContractDatabase & { readonly drop: () => Promise<void> }) | undefined;
  beforeAll(async () => {
    const { urlFor, url, drop } = await createDatabase('orchestrator');
    opened = { pool: specPool(urlFor('worker'), 2), admin: specPool(url, 2), drop };
  });
  afterAll(async () => {
    await Promise.all([opened?.pool.end(), opened?.admin.end()]);
    await opened?.drop();
  });
  const open = (): ContractDatabase => {
    if (opened === undefined) throw new Error('the database exists only while tests run');
    return opened;
  };
  return {
    get pool() {
      return open().pool;
    },
    get admin() {
      return open().admin;
    },
  };
};
