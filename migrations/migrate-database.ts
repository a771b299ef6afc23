import { assert } from '#kernel';
import type { DataSource } from 'typeorm';
import { DATABASE_ROLES } from '../tools/infra/roles.mjs';
import { applyGrants, applySandboxGrants } from './access/apply-grants.js';
import { orchestratorDataSource } from './orchestrator/data-source.js';
import { ORCHESTRATOR_GRANTS } from './orchestrator/grants.js';
import { sandboxDataSource } from './sandbox/data-source.js';

const SOURCES = { orchestrator: orchestratorDataSource, sandbox: sandboxDataSource } as const;

type Kind = keyof typeof SOURCES;

interface Owner {
  readonly name: string;
  /** Whether whoever is connected may become the owner. */
  readonly within: boolean;
}

const OWNER = `
  SELECT datdba::regrole::text AS name, pg_has_role(datdba, 'SET') AS within
    FROM pg_database WHERE datname = current_database()`;

/**
 * Whoever connects: what is made is the owner's. Of a sandbox on a server of somebody's own it may be
 * anybody.
 *
 * @throws Error that says what is missing.
 */
const becomeOwner = async (source: DataSource, kind: Kind): Promise<Owner> => {
  const { owner: expected } = DATABASE_ROLES[kind];
  const [owner] = await source.query<Owner[]>(OWNER);
  assert(owner !== undefined, 'the database that is connected to exists');
  if (kind === 'orchestrator' && owner.name !== expected) {
    throw new Error(
      `the database belongs to ${owner.name}, and not to ${expected}: ` +
        'run `node dist/tools/roles.js orchestrator` once, as the administrator of the server',
    );
  }
  if (owner.name !== expected) return owner;
  if (!owner.within) throw new Error(`migrate as ${expected}: all that is made is to be its own`);
  await source.query(`SET ROLE ${expected}`);
  return owner;
};

const grant = async (kind: Kind, source: DataSource, { name }: Owner): Promise<void> => {
  if (name !== DATABASE_ROLES[kind].owner) return;
  if (kind === 'orchestrator') await applyGrants(source, ORCHESTRATOR_GRANTS);
  else await applySandboxGrants(source);
};

/**
 * One connection: the role is its own. The server's time limits are for apps: a migration may have to
 * read the whole log, or build an index; cut off, it would be cut off anew each time. `lock_timeout`
 * stays: nobody waits long behind one.
 */
const CONNECTION = { max: 1, options: '-c statement_timeout=0 -c transaction_timeout=0' };

/**
 * Brings a database of a kind up to date, and its grants to what their file says; answers how many
 * migrations were run.
 */
export const migrateDatabase = async (kind: Kind, url: string): Promise<number> => {
  const source = SOURCES[kind](url).setOptions({ extra: CONNECTION });
  await source.initialize();
  try {
    const owner = await becomeOwner(source, kind);
    const { length } = await source.runMigrations();
    await grant(kind, source, owner);
    return length;
  } finally {
    await source.destroy();
  }
};
