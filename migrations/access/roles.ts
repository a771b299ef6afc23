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

/**
 * Whether a role has one of the attributes that `MAY_NOTHING` removes. Only a superuser may remove
 * them, even if the role has none.
 */
const ATTRIBUTES = `
  SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS "mayMore"
    FROM pg_roles WHERE rolname = $1`;

const makeRole = async (
  client: pg.Client,
  role: string,
  password: string | null,
): Promise<void> => {
  const { rows } = await client.query<{ mayMore: boolean }>(ATTRIBUTES, [role]);
  if (rows[0] === undefined) await client.query(`CREATE ROLE ${role}`);
  if (rows[0]?.mayMore === true) await client.query(`ALTER ROLE ${role} ${MAY_NOTHING}`);
  if (password === null) return;
  const verifier = client.escapeLiteral(scramVerifier(password));
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${verifier}`);
};

/**
 * Makes the connected role a member of the owner role, if it is no superuser: otherwise it could
 * not transfer a database to the owner role. The creator of a role may do this.
 */
const joinOwner = async (client: pg.Client, owner: string): Promise<void> => {
  const { rows } = await client.query<{ joined: boolean }>(
    `SELECT pg_has_role($1::name, 'SET') AND pg_has_role($1::name, 'USAGE') AS joined`,
    [owner],
  );
  if (rows[0]?.joined !== true) await client.query(`GRANT ${owner} TO CURRENT_USER`);
};

/** `may`: whether the connected role may grant this right; `has`: whether all roles have it. */
const STATS = `
  SELECT pg_has_role('pg_read_all_stats', 'MEMBER WITH ADMIN OPTION') AS may,
         bool_and(pg_has_role(role, 'pg_read_all_stats', 'MEMBER')) AS has
    FROM unnest($1::name[]) AS role`;

/**
 * Worker and admin report the oldest open transaction, which delays the log consumers. Without this
 * right they could not see the transactions of other roles. Returns what an administrator must
 * still do; null: nothing.
 */
const grantStats = async (client: pg.Client): Promise<string | null> => {
  const { worker, admin } = DATABASE_ROLES.orchestrator.apps;
  const { rows } = await client.query<{ may: boolean; has: boolean }>(STATS, [[worker, admin]]);
  const statement = `GRANT pg_read_all_stats TO ${worker}, ${admin}`;
  if (rows[0]?.may === true) await client.query(statement);
  else if (rows[0]?.has !== true) {
    return (
      'this role may not grant pg_read_all_stats, so the alert TransactionOpen would miss the ' +
      `transactions of other roles: let an administrator of the server run \`${statement}\``
    );
  }
  return null;
};

/**
 * Creates the roles for a kind of database and sets their passwords. Roles belong to the server, so
 * the databases of this kind share them. The connected role must be allowed to create roles.
 * Several runs may do this simultaneously. Returns what an administrator must still do; null:
 * nothing.
 */
const makeRoles = async (
  client: pg.Client,
  kind: DatabaseKind,
  passwordOf: PasswordOf,
): Promise<string | null> => {
  for (const role of allRoles(kind)) await makeRole(client, role, passwordOf(role));
  await joinOwner(client, DATABASE_ROLES[kind].owner);
  if (kind !== 'orchestrator') return null;
  const { api, worker, all } = DATABASE_ROLES.orchestrator.apps;
  await client.query(`GRANT ${api}, ${worker} TO ${all}`);
  return grantStats(client);
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

/**
 * Creates the roles for a kind of database. Connect as the administrator of the server, or as a role
 * that may create roles and databases. Returns what an administrator must still do; null: nothing.
 */
export const ensureRoles = (
  serverUrl: string,
  kind: DatabaseKind,
  passwordOf: PasswordOf,
): Promise<string | null> => onDatabase(serverUrl, (client) => makeRoles(client, kind, passwordOf));

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
