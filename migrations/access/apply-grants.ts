import { assert } from '#kernel';
import type { DataSource } from 'typeorm';
import { DATABASE_ROLES } from '../../tools/infra/roles.mjs';

type App = 'api' | 'worker' | 'admin' | 'ops';

/** The grants of a function: which apps may execute it. */
interface FunctionGrant {
  /**
   * Whether the function runs with the rights of its owner, so that the apps need no grants for the
   * tables that it writes.
   */
  readonly asOwner: boolean;
  readonly apps: readonly App[];
}

/** The grants of a database. An app without an entry has no rights. */
export interface Grants {
  readonly tables: Readonly<Record<string, Readonly<Partial<Record<App, string>>>>>;
  readonly functions: Readonly<Record<string, FunctionGrant>>;
}

/**
 * Selects the tables and functions that migrations have created: all that belong to the owner,
 * except TypeORM's table and the tables of a rebuild in progress.
 */
const MADE = `
  SELECT c.relname AS name, 'table' AS kind FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
     AND c.relowner = current_user::regrole AND c.relname <> 'migrations'
     AND c.relname NOT LIKE '%\\_rebuild'
  UNION ALL
  SELECT DISTINCT p.proname, 'function' FROM pg_proc p
   WHERE p.pronamespace = 'public'::regnamespace AND p.proowner = current_user::regrole
   ORDER BY 1`;

interface Made {
  readonly name: string;
  readonly kind: 'table' | 'function';
}

const FILE = 'migrations/orchestrator/grants.ts';

/** Throws an `Error` that names each table and function without an entry in the grants file. */
const requireDecisions = (made: readonly Made[], { tables, functions }: Grants): void => {
  const decided: readonly Made[] = [
    ...Object.keys(tables).map((name) => ({ name, kind: 'table' as const })),
    ...Object.keys(functions).map((name) => ({ name, kind: 'function' as const })),
  ];
  const lacks = (list: readonly Made[], { name, kind }: Made): boolean =>
    !list.some((one) => one.name === name && one.kind === kind);
  const undecided = made.filter((one) => lacks(decided, one));
  const unmade = decided.filter((one) => lacks(made, one));
  const sentences = [
    ...undecided.map(({ name, kind }) => `the ${kind} ${name} has no grants: add them to ${FILE}`),
    ...unmade.map(
      ({ name, kind }) => `${FILE} grants rights on the unknown ${kind} ${name}: remove them`,
    ),
  ];
  if (sentences.length > 0) throw new Error(sentences.join('\n'));
};

const roleOf = (app: string): string => {
  const role = Object.entries(DATABASE_ROLES.orchestrator.apps).find(([name]) => name === app)?.[1];
  assert(role !== undefined, `${app} is an app of the orchestrator`);
  return role;
};

/**
 * `search_path` is fixed: otherwise a caller could put objects first in the path, which the
 * function would then use with the owner's rights.
 */
const AS_OWNER = 'SECURITY DEFINER SET search_path = public, pg_temp';

const functionStatements = ([name, { asOwner, apps }]: [string, FunctionGrant]): string[] => [
  `ALTER FUNCTION ${name} ${asOwner ? AS_OWNER : 'SECURITY INVOKER'}`,
  ...apps.map((app) => `GRANT EXECUTE ON FUNCTION ${name} TO ${roleOf(app)}`),
];

const statementsOf = ({ tables, functions }: Grants, made: readonly Made[]): readonly string[] => {
  const allRoles = ['PUBLIC', ...Object.values(DATABASE_ROLES.orchestrator.apps)].join(', ');
  return [
    ...made.map(({ name, kind }) => `REVOKE ALL ON ${kind} ${name} FROM ${allRoles}`),
    ...Object.entries(tables).flatMap(([table, grants]) =>
      Object.entries(grants).map(
        ([app, rights]) => `GRANT ${rights} ON ${table} TO ${roleOf(app)}`,
      ),
    ),
    ...Object.entries(functions).flatMap(functionStatements),
  ];
};

/**
 * Applies the grants file to the orchestrator's database, in one transaction. `source` is a
 * connection of the owner.
 * @throws Error that names each table and function without an entry in the grants file.
 */
export const applyGrants = async (source: DataSource, grants: Grants): Promise<void> => {
  const made = await source.query<Made[]>(MADE);
  requireDecisions(made, grants);
  await source.transaction(async (manager) => {
    await manager.query(statementsOf(grants, made).join(';\n'));
  });
};

/** Applies the grants of the sandbox's database: the app may write every table, and create none. */
export const applySandboxGrants = async (source: DataSource): Promise<void> => {
  const { sandbox } = DATABASE_ROLES.sandbox.apps;
  await source.query(`
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${sandbox};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${sandbox}`);
};
