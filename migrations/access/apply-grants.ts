import { assert } from '#kernel';
import type { DataSource } from 'typeorm';
import { DATABASE_ROLES } from '../../tools/infra/roles.mjs';

type App = 'api' | 'worker' | 'admin' | 'ops';

/** What each app may do with a function: none may, unless it is named. */
interface FunctionGrant {
  /** With the rights of the owner, so that the tables that it writes need not be granted. */
  readonly asOwner: boolean;
  readonly apps: readonly App[];
}

/** The decisions on a database. An app that is not named may do nothing. */
export interface Grants {
  readonly tables: Readonly<Record<string, Readonly<Partial<Record<App, string>>>>>;
  readonly functions: Readonly<Record<string, FunctionGrant>>;
}

/** What the owner has, but for what TypeORM notes of migrations and a rebuild that is under way. */
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

/** Throws an `Error` that says what is to be decided, and where. */
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
    ...undecided.map(
      ({ name, kind }) =>
        `the ${kind} ${name} has no grants: say in ${FILE} which app may do what with it`,
    ),
    ...unmade.map(
      ({ name, kind }) =>
        `${FILE} grants the ${kind} ${name}, which no migration makes: take it out`,
    ),
  ];
  if (sentences.length > 0) throw new Error(sentences.join('\n'));
};

const roleOf = (app: string): string => {
  const role = Object.entries(DATABASE_ROLES.orchestrator.apps).find(([name]) => name === app)?.[1];
  assert(role !== undefined, `${app} is an app of the orchestrator`);
  return role;
};

/** `search_path` is pinned: a function of the owner finds nothing that a caller has put before it. */
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
 * Makes the grants of the orchestrator's database what its file says, in one transaction. `source`
 * is connected as the owner.
 *
 * @throws Error that names each table and function on which nothing is decided.
 */
export const applyGrants = async (source: DataSource, grants: Grants): Promise<void> => {
  const made = await source.query<Made[]>(MADE);
  requireDecisions(made, grants);
  await source.transaction(async (manager) => {
    await manager.query(statementsOf(grants, made).join(';\n'));
  });
};

/** Makes the sandbox's grants: its one app may write every row, and make no table. */
export const applySandboxGrants = async (source: DataSource): Promise<void> => {
  const { sandbox } = DATABASE_ROLES.sandbox.apps;
  await source.query(`
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${sandbox};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${sandbox}`);
};
