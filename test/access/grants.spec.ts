import { tablesOf } from '#projections';
import { createDatabase, type DatabaseApp, type TestDatabase } from '#testing';
import pg from 'pg';
import { migrateDatabase } from '../../migrations/migrate-database.js';
import { COMMIT_STEPS_FUNCTION } from '../../migrations/orchestrator/schema/commit-steps.js';
import { ORCHESTRATOR_GRANTS } from '../../migrations/orchestrator/grants.js';
import { PROJECTIONS } from '../../apps/worker/projections/catalogue.js';
import { DATABASE_ROLES } from '../../tools/infra/roles.mjs';

const APPS = ['api', 'worker', 'all', 'admin', 'ops'] as const;
/** Tables to which apps may add rows, but whose rows no app may change or delete. */
const APPEND_ONLY = ['events', 'ledger_journal', 'audit'] as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase('orchestrator');
});
afterAll(() => database.drop());

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const rowsAs = <Row extends object>(url: string, sql: string, values: unknown[] = []) =>
  connected(url, async (client) => (await client.query<Row>(sql, values)).rows);

const query = <Row extends object>(app: DatabaseApp, sql: string) =>
  rowsAs<Row>(database.urlFor(app), sql);

test.each([...APPS])(
  'the app %s connects with a database role that no other app uses and that is no superuser',
  async (app) => {
    const rows = await query(
      app,
      `
    SELECT rolname AS name, rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication
           AS administers, pg_has_role(current_user, '${DATABASE_ROLES.orchestrator.owner}', 'MEMBER')
           AS owns
      FROM pg_roles WHERE rolname = current_user`,
    );
    expect(rows).toEqual([
      { name: DATABASE_ROLES.orchestrator.apps[app], administers: false, owns: false },
    ]);
  },
);

test.each(APPS.flatMap((app) => APPEND_ONLY.map((table) => [app, table] as const)))(
  'the role of the app %s can neither update, delete nor truncate the rows of %s',
  async (app, table) => {
    for (const sql of [
      `UPDATE ${table} SET recorded_at = recorded_at`,
      `UPDATE ${table} SET at = at`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
      `DROP TABLE ${table}`,
      `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
    ]) {
      await expect(query(app, sql)).rejects.toThrow(
        /permission denied|must be owner|column "\w+" of relation|column "\w+" does not exist/,
      );
    }
    const [rights] = await query<Record<string, boolean>>(
      app,
      `
      SELECT has_any_column_privilege('${table}', 'UPDATE') AS "UPDATE",
             has_table_privilege('${table}', 'DELETE') AS "DELETE",
             has_table_privilege('${table}', 'TRUNCATE') AS "TRUNCATE",
             has_table_privilege('${table}', 'TRIGGER') AS "TRIGGER"`,
    );
    expect(rights).toEqual({ UPDATE: false, DELETE: false, TRUNCATE: false, TRIGGER: false });
  },
);

test.each([...APPS])(
  'the role of the app %s can write to the event log only through commit_steps, and cannot create database objects',
  async (app) => {
    await expect(
      query(
        app,
        `
    INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
    VALUES ('order', 'ord_1', 1, gen_random_uuid(), 'OrderPaid', 1, '{}', '{}')`,
      ),
    ).rejects.toThrow('permission denied for table events');
    await expect(query(app, 'CREATE TABLE public.mine (id int)')).rejects.toThrow(
      'permission denied',
    );
    await expect(query(app, 'CREATE TEMP TABLE mine (id int)')).rejects.toThrow(
      'permission denied',
    );
  },
);

/**
 * The tables to which no app has a grant: the migration table of TypeORM, and tables that only
 * functions with the owner's rights use.
 */
const OWNERS_ALONE = ['migrations', 'projection_writers', 'rebuildable_tables'];

test('each table is granted to exactly the apps that grants.ts lists for it, and the owner’s tables to no app', async () => {
  const { owner, apps } = DATABASE_ROLES.orchestrator;
  const rows = await rowsAs<{ name: string; roles: readonly string[] }>(
    database.url,
    `
    SELECT t.table_name AS name,
           array(SELECT DISTINCT p.grantee::text FROM information_schema.column_privileges p
                  WHERE p.table_schema = 'public' AND p.table_name = t.table_name
                    AND (p.grantee = 'PUBLIC' OR p.grantee LIKE 'orchestrator\\_%')
                    AND p.grantee <> $1 ORDER BY 1) AS roles
      FROM information_schema.tables t WHERE t.table_schema = 'public' ORDER BY 1`,
    [owner],
  );
  expect(rows.filter(({ roles }) => roles.length === 0).map(({ name }) => name)).toEqual(
    OWNERS_ALONE,
  );
  expect(Object.fromEntries(rows.map(({ name, roles }) => [name, roles]))).toEqual({
    migrations: [],
    ...Object.fromEntries(
      Object.entries(ORCHESTRATOR_GRANTS.tables).map(([name, grants]) => [
        name,
        Object.keys(grants)
          .map((app) => apps[app as keyof typeof apps])
          .sort(),
      ]),
    ),
  });
});

test.each([...APPS])(
  'the role of the app %s can neither change the epoch of the event log nor remove the production mark of the database',
  async (app) => {
    for (const sql of [
      'UPDATE log_identity SET incarnation = incarnation',
      'INSERT INTO log_restores (lost_since) VALUES (now())',
      'UPDATE log_identity SET epoch = epoch + 1',
      `UPDATE log_identity SET system_identifier = '1'`,
      'DELETE FROM production_marks',
      'UPDATE production_marks SET marked_at = now()',
      'TRUNCATE production_marks',
    ])
      await expect(query(app, sql)).rejects.toThrow('permission denied');
  },
);

test('after a restore of the event log, only the worker can record that a payment was fetched from the provider', async () => {
  for (const app of ['api', 'admin', 'ops'] as const) {
    for (const sql of [
      'DELETE FROM jobs',
      'DELETE FROM restore_reads',
      'DELETE FROM lost_debits',
      `UPDATE jobs SET kind = 'other'`,
      `UPDATE jobs SET key = 'other'`,
      `UPDATE jobs SET account_id = 'other'`,
    ])
      await expect(query(app, sql)).rejects.toThrow('permission denied');
  }
  await query('worker', `DELETE FROM jobs WHERE kind = 'restore.payment'`);
});

test('the api reads only the open requests to close a reconciliation break, and neither the other actions of operators nor their secrets', async () => {
  const action = (id: string, kind: string, status: string): string =>
    `('${id}', '${kind}', '{"subjectId": "${id}"}', 'spec', '${id}', 'a test', 'usr_1', '${status}', now())`;
  await rowsAs(
    database.url,
    `INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, requested_by,
            status, expires_at)
     VALUES ${action('open', 'close_exception', 'pending')},
            ${action('ended', 'close_exception', 'done')},
            ${action('user', 'create_user', 'pending')}`,
  );
  for (const app of ['api', 'all'] as const) {
    const rows = await query<{ id: string }>(
      app,
      `SELECT target ->> 'subjectId' AS id FROM admin_actions`,
    );
    expect(rows).toEqual([{ id: 'open' }]);
  }
  for (const app of ['admin', 'ops'] as const) {
    expect(await query(app, 'SELECT id FROM admin_actions')).toHaveLength(3);
    await query(app, `UPDATE admin_actions SET reason = 'another' WHERE id = 'user'`);
  }
  await rowsAs(database.url, 'DELETE FROM admin_actions');
  for (const sql of [
    'SELECT id FROM admin_actions',
    'SELECT private FROM admin_actions',
    'DELETE FROM admin_actions',
    'SELECT actor FROM audit',
    `UPDATE admin_actions SET requested_by = 'usr_1'`,
    'UPDATE daily_limits SET daily = 0',
  ])
    await expect(query('api', sql)).rejects.toThrow('permission denied');
});

test('the api can request only one action, the closing of a reconciliation break, and can approve none', async () => {
  const ask = (platform: string): Promise<unknown> =>
    query(
      'api',
      `
    SELECT request_exception_closing('act_1', 'exc_1', '${platform}', 'po_1', 'a test payment', 'req_1')`,
    );
  const refused = 'for what is not its own';
  await expect(ask('shop')).rejects.toThrow(refused);
  await rowsAs(
    database.url,
    `
    INSERT INTO api_keys (prefix, platform_id, hash, scopes) VALUES ('po_1', 'shop', '', '{}');
    INSERT INTO reconciliation_exceptions (exception_id, kind, account_id, platform_id, merchant_id,
           line_kind, object_id, currency, amount_minor, expected, observed, since, found_at)
    VALUES ('exc_1', 'missing', 'acc_1', 'shop', 'm1', 'payment', 'pay_1', 'eur', 990, '', '',
            now(), now())`,
  );
  await ask('shop');
  expect(
    await query(
      'admin',
      `
    SELECT kind, status, requested_by AS by, decided_by AS "decidedBy" FROM admin_actions
     WHERE id = 'act_1'`,
    ),
  ).toEqual([
    { kind: 'close_exception', status: 'pending', by: 'platform:shop key:po_1', decidedBy: null },
  ]);
  await expect(ask('other')).rejects.toThrow(refused);
  for (const sql of [
    `INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, requested_by,
            status, expires_at)
     VALUES ('act_2', 'create_user', '{"subjectId": "usr_2", "role": "admin"}', 'user', 'usr_2',
             'a colleague', 'usr_1', 'executing', now() + interval '1 day')`,
    `UPDATE admin_actions SET status = 'executing'`,
    'UPDATE admin_actions SET private = NULL',
    `INSERT INTO audit (actor, action, request_id) VALUES ('user:usr_1', 'spec', 'spec')`,
  ])
    await expect(query('api', sql)).rejects.toThrow('permission denied');
});

test('functions that run with the owner’s rights ignore objects that a caller puts first in the search path', async () => {
  const rows = await rowsAs<{ name: string; settings: readonly string[]; isPublic: boolean }>(
    database.url,
    `
    SELECT proname AS name, proconfig AS settings,
           EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner)))
                    WHERE grantee = 0) AS "isPublic"
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toContain('commit_steps');
  for (const { settings, isPublic } of rows) {
    expect(settings).toContain('search_path=public, pg_temp');
    expect(isPublic).toBe(false);
  }
});

test('a rebuild is permitted only for the tables of projections', async () => {
  const rows = await rowsAs<{ name: string }>(
    database.url,
    'SELECT name FROM rebuildable_tables ORDER BY name',
  );
  const tables = PROJECTIONS.flatMap((one) => tablesOf(one));
  expect(rows.map(({ name }) => name)).toEqual([...tables].sort());
  for (const call of [`begin_rebuild('{events}')`, `begin_rebuild_of_columns('{events}', '{}')`]) {
    await expect(query('worker', `SELECT ${call}`)).rejects.toThrow(
      'the table events is not rebuilt',
    );
  }
  await expect(query('worker', `SELECT end_rebuild('{audit}')`)).rejects.toThrow(
    'the table audit is not rebuilt',
  );
});

test('a migration fails when grants.ts does not list a table or function', async () => {
  const other = await createDatabase('orchestrator');
  await rowsAs(
    other.url,
    `
    SET ROLE ${DATABASE_ROLES.orchestrator.owner};
    CREATE TABLE forgotten (id int);
    CREATE FUNCTION overlooked() RETURNS int LANGUAGE sql RETURN 1`,
  );
  await expect(migrateDatabase('orchestrator', other.url)).rejects.toThrow(
    'the table forgotten has no grants: add them to migrations/orchestrator/grants.ts',
  );
  await expect(migrateDatabase('orchestrator', other.url)).rejects.toThrow(
    'the function overlooked has no grants',
  );
  await other.drop();
});

test('the migration of a database fails when it runs as an app’s role or when the owner role does not own the database', async () => {
  await expect(migrateDatabase('orchestrator', database.urlFor('worker'))).rejects.toThrow(
    'migrate as orchestrator_owner',
  );
  const empty = await createDatabase();
  await expect(migrateDatabase('orchestrator', empty.url)).rejects.toThrow(
    'node dist/programs/roles.js orchestrator',
  );
  await empty.drop();
});

test('the command-line tools can write the audit, and the roles of sandbox and orchestrator cannot connect to each other’s database', async () => {
  await query(
    'ops',
    `INSERT INTO audit (actor, action, request_id) VALUES ('ops:a', 'spec', 'spec')`,
  );
  const other = await createDatabase('sandbox');
  await expect(rowsAs(database.urlFor('sandbox'), 'SELECT 1')).rejects.toThrow(
    'permission denied for database',
  );
  await expect(rowsAs(other.urlFor('worker'), 'SELECT 1')).rejects.toThrow(
    'permission denied for database',
  );
  await other.drop();
});

test('after a migration has replaced commit_steps, the function has the owner’s rights and its settings unchanged', async () => {
  const rights = `SELECT prosecdef AS "asOwner", proconfig AS settings FROM pg_proc
                   WHERE proname = 'commit_steps'`;
  const before = await rowsAs(database.url, rights);
  await rowsAs(database.url, COMMIT_STEPS_FUNCTION);
  // The rights are read before the grants file is applied again, because processes of the previous
  // release commit steps in the meantime.
  const after = await rowsAs<{ asOwner: boolean; settings: string[] }>(database.url, rights);
  expect(after).toMatchObject([{ asOwner: true }]);
  expect(after[0]?.settings.sort()).toEqual((before as typeof after)[0]?.settings.sort());
});
