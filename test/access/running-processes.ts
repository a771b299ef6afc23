import { readFileSync } from 'node:fs';
import { waitFor } from '#testing';
import pg from 'pg';
import type { RunningApp } from '../../tools/infra/apps.mjs';
import { DATABASE_ROLES } from '../../tools/infra/roles.mjs';
import { runnersServers } from '../support/servers.js';

/** The environment of a running process, read from the operating system. */
export const environmentOf = ({ pid }: RunningApp): ReadonlyMap<string, string> => {
  const parts = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return new Map(
    parts.map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at), part.slice(at + 1)] as const;
    }),
  );
};

/** The roles of all processes of a stack, in alphabetical order. */
export const ROLES: readonly string[] = [
  DATABASE_ROLES.fulfilment.owner,
  DATABASE_ROLES.orchestrator.apps.admin,
  DATABASE_ROLES.orchestrator.apps.api,
  DATABASE_ROLES.orchestrator.apps.worker,
  DATABASE_ROLES.sandbox.apps.sandbox,
].toSorted();

/** The roles that are connected to these databases, as soon as all processes are. */
export const rolesOn = async (
  databases: readonly (string | null)[],
): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: runnersServers().databaseUrl });
  await client.connect();
  const names = databases.map((url) => new URL(url ?? '').pathname.slice(1));
  const read = async (): Promise<readonly string[]> => {
    const { rows } = await client.query<{ role: string }>(
      `SELECT DISTINCT usename AS role FROM pg_stat_activity
        WHERE datname = ANY ($1) AND backend_type = 'client backend' ORDER BY 1`,
      [names],
    );
    return rows.map(({ role }) => role);
  };
  try {
    await waitFor(async () => (await read()).length === ROLES.length);
    return await read();
  } finally {
    await client.end();
  }
};
