import { assert } from '#kernel';
import { type DataSource, QueryFailedError } from 'typeorm';
import { DATABASE_ROLES } from '../tools/infra/roles.mjs';
import { applyGrants, applySandboxGrants } from './access/apply-grants.js';
import { orchestratorDataSource } from './orchestrator/data-source.js';
import { ORCHESTRATOR_GRANTS } from './orchestrator/grants.js';
import { sandboxDataSource } from './sandbox/data-source.js';

const SOURCES = { orchestrator: orchestratorDataSource, sandbox: sandboxDataSource } as const;

type Kind = keyof typeof SOURCES;

interface Owner {
  readonly name: string;
  /** Whether the connected role may switch to the owner role. */
  readonly within: boolean;
}

const OWNER = `
  SELECT datdba::regrole::text AS name, pg_has_role(datdba, 'SET') AS within
    FROM pg_database WHERE datname = current_database()`;

/**
 * Switches to the owner role, so that this role owns all created objects, whichever of its members
 * has connected. A sandbox's database may belong to any role.
 * @throws Error that says what is missing.
 */
const becomeOwner = async (source: DataSource, kind: Kind): Promise<Owner> => {
  const { owner: expected } = DATABASE_ROLES[kind];
  const [owner] = await source.query<Owner[]>(OWNER);
  assert(owner !== undefined, 'the database that is connected to exists');
  if (kind === 'orchestrator' && owner.name !== expected) {
    throw new Error(
      `the database belongs to ${owner.name}, not to ${expected}: ` +
        'run `node dist/programs/roles.js orchestrator` once, as the administrator of the server',
    );
  }
  if (owner.name !== expected) return owner;
  if (!owner.within)
    throw new Error(`migrate as ${expected}: all created objects must belong to this role`);
  await source.query(`SET ROLE ${expected}`);
  return owner;
};

const grant = async (kind: Kind, source: DataSource, { name }: Owner): Promise<void> => {
  if (name !== DATABASE_ROLES[kind].owner) return;
  if (kind === 'orchestrator') await applyGrants(source, ORCHESTRATOR_GRANTS);
  else await applySandboxGrants(source);
};

/**
 * The options of a migration's connection. The pool has one connection, because `SET ROLE` applies
 * to a single connection. The server's time limits are for apps: a migration may read the whole log
 * or build an index, and a retry would exceed the limit again. While a migration waits for a lock,
 * later statements of apps wait behind it, so the wait is shorter than their time limits.
 */
const CONNECTION = {
  max: 1,
  options: '-c statement_timeout=0 -c transaction_timeout=0 -c lock_timeout=5s',
};

/** PostgreSQL's code for a statement that waited longer than `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';

const explained = (error: unknown): unknown => {
  const isLockWait =
    error instanceof QueryFailedError && Reflect.get(error, 'code') === LOCK_NOT_AVAILABLE;
  if (!isLockWait) return error;
  const text =
    'a migration waited 5 seconds for a lock that another transaction holds (a dump, for example), ' +
    'and was rolled back: migrate again when that transaction has ended';
  return new Error(text, { cause: error });
};

/**
 * Runs the pending migrations of a database and applies the grants of its grants file; returns how
 * many migrations were run.
 */
export const migrateDatabase = async (kind: Kind, url: string): Promise<number> => {
  const source = SOURCES[kind](url).setOptions({ extra: CONNECTION });
  await source.initialize();
  try {
    const owner = await becomeOwner(source, kind);
    const { length } = await source.runMigrations();
    await grant(kind, source, owner);
    return length;
  } catch (error) {
    throw explained(error);
  } finally {
    await source.destroy();
  }
};
