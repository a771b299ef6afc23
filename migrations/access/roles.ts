import pg from 'pg';
import { DATABASE_ROLES, type DatabaseKind } from '../../tools/infra/roles.mjs';
import { scramVerifier } from './scram.js';

/**
 * The password for a role; null: the password does not change. A role without a password cannot log
 * in.
 */
export type PasswordOf = (role: string) => string | null;

const MAY_NOTHING = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

const allRoles = (kind: DatabaseKind): readonly string[] => {
  const { owner, apps } = DATABASE_ROLES[kind];
  return [owner, ...Object.values(apps)];
};

const makeRole = async (
  client: pg.Client,
  role: string,
  password: string | null,
): Promise<void> => {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 0) await client.query(`CREATE ROLE ${role}`);
  await client.query(`ALTER ROLE ${role} ${MAY_NOTHING}`);
  if (password === null) return;
  const verifier = client.escapeLiteral(scramVerifier(password));
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${verifier}`);
};

/**
 * Creates the roles for a kind of database and sets their passwords. Roles belong to the server, so
 * the databases of this kind share them. The connected role must be allowed to create roles.
 * Several runs may do this simultaneously.
 */
const makeRoles = async (
  client: pg.Client,
  kind: DatabaseKind,
  passwordOf: PasswordOf,
): Promise<void> => {
  for (const role of allRoles(kind)) await makeRole(client, role, passwordOf(role));
  if (kind !== 'orchestrator') return;
  const { api, worker, all, admin } = DATABASE_ROLES.orchestrator.apps;
  await client.query(`GRANT ${api}, ${worker} TO ${all}`);
  // Worker and admin report the oldest open transaction, which delays the log consumers. Without
  // this right they could not see the transactions of other roles.
  await client.query(`GRANT pg_read_all_stats TO ${worker}, ${admin}`);
};

/**
 * Makes the owner role the owner of a database. Only the roles of its apps may connect, and they
 * may create nothing. `giveToOwner` changes the owner of the objects in the database.
 */
export const openToRoles = async (
  client: pg.Client | pg.Pool,
  database: string,
  kind: DatabaseKind,
): Promise<void> => {
  const name = pg.escapeIdentifier(database);
  await client.query(`
    ALTER DATABASE ${name} OWNER TO ${DATABASE_ROLES[kind].owner};
    REVOKE ALL ON DATABASE ${name} FROM PUBLIC;
    GRANT CONNECT ON DATABASE ${name} TO ${allRoles(kind).join(', ')}`);
};

/**
 * SQL that makes the owner role the owner of all objects that were created before the role existed,
 * except objects of extensions.
 */
const takeOver = (owner: string): string => `
  DO $$
  DECLARE
    mine regrole := '${owner}';
    one record;
  BEGIN
    FOR one IN
      SELECT format('TABLE %s', c.oid::regclass) AS name FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
         AND c.relowner <> mine
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
      UNION ALL
      SELECT format('FUNCTION %s', p.oid::regprocedure) FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace AND p.proowner <> mine
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
      UNION ALL
      SELECT format('TYPE %s', t.oid::regtype) FROM pg_type t
       WHERE t.typnamespace = 'public'::regnamespace AND t.typowner <> mine
         AND t.typtype = 'c' AND (SELECT relkind FROM pg_class WHERE oid = t.typrelid) = 'c'
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')
    LOOP
      EXECUTE format('ALTER %s OWNER TO %s', one.name, mine);
    END LOOP;
  END
  $$;
  REVOKE ALL ON SCHEMA public FROM PUBLIC`;

const onDatabase = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // All runs take this lock in the same database, because an advisory lock applies to one
    // database only, whereas roles belong to the whole server.
    await client.query(`SELECT pg_advisory_lock(hashtextextended('roles', 0))`);
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Creates the roles for a kind of database. Connect as the administrator of the server. */
export const ensureRoles = (
  serverUrl: string,
  kind: DatabaseKind,
  passwordOf: PasswordOf,
): Promise<void> => onDatabase(serverUrl, (client) => makeRoles(client, kind, passwordOf));

/**
 * Transfers a database to its owner, and allows the roles of its apps to connect. The roles must
 * exist.
 */
export const giveToOwner = (databaseUrl: string, kind: DatabaseKind): Promise<void> =>
  onDatabase(databaseUrl, async (client) => {
    await openToRoles(client, decodeURIComponent(new URL(databaseUrl).pathname.slice(1)), kind);
    await client.query(takeOver(DATABASE_ROLES[kind].owner));
    await client.query(`GRANT USAGE ON SCHEMA public TO ${allRoles(kind).join(', ')}`);
  });
