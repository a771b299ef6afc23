import { ConfigError, databaseUrlFromEnv, envSecretOptional } from '#platform';
import { ensureRoles, giveToOwner } from '../migrations/access/roles.js';
import { createMissing } from './infra/databases.mjs';
import { reportFailure } from './report-failure.js';

/**
 * `roles orchestrator|sandbox|fulfilment`: creates a database and its roles, as the server's
 * administrator, or as a role that may create roles and databases. A role may log in only if its password is set in `<ROLE>_PASSWORD`.
 */
const DATABASES = {
  orchestrator: 'DATABASE_URL',
  sandbox: 'SANDBOX_DATABASE_URL',
  fulfilment: 'FULFILMENT_DATABASE_URL',
} as const;

const isKind = (text: string | undefined): text is keyof typeof DATABASES =>
  text !== undefined && text in DATABASES;

const passwordOf = (role: string): string | null =>
  envSecretOptional(`${role.toUpperCase()}_PASSWORD`) ?? null;

const [kind] = process.argv.slice(2);
if (!isKind(kind)) {
  process.stderr.write('usage: roles orchestrator|sandbox|fulfilment\n');
  process.exit(2);
}
try {
  const url = new URL(databaseUrlFromEnv(DATABASES[kind]));
  const name = url.pathname.slice(1);
  if (name === '')
    throw new ConfigError(`${DATABASES[kind]} must be a URL that ends with the name of a database`);
  url.pathname = '/postgres';
  const left = await ensureRoles(url.toString(), kind, passwordOf);
  await createMissing(url.toString(), [name]);
  url.pathname = `/${name}`;
  await giveToOwner(url.toString(), kind);
  process.stdout.write(
    `${kind}: the roles are created, and the database belongs to its owner role\n`,
  );
  if (left !== null) process.stderr.write(`${left}\n`);
} catch (error) {
  reportFailure(error);
}
