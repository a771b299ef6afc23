import { runCompiled } from './compiled.mjs';
import { DATABASE_ROLES, rolePassword, roleUrl } from './roles.mjs';

const URL_OF = {
  orchestrator: 'DATABASE_URL',
  sandbox: 'SANDBOX_DATABASE_URL',
  fulfilment: 'FULFILMENT_DATABASE_URL',
};

/**
 * Creates the roles of a database, and makes the owner role its owner.
 * @param {keyof typeof URL_OF} kind
 * @param {string} url for the server's administrator
 */
export const giveToOwner = (kind, url) => {
  const { owner, apps } = DATABASE_ROLES[kind];
  const passwords = [owner, ...Object.values(apps)].map((role) => [
    `${role.toUpperCase()}_PASSWORD`,
    rolePassword(url, role),
  ]);
  return runCompiled('roles', [kind], { [URL_OF[kind]]: url, ...Object.fromEntries(passwords) });
};

/**
 * Migrates a database to the latest schema, as its owner.
 * @param {'orchestrator' | 'sandbox'} kind
 * @param {string} url
 */
export const migrateAsOwner = (kind, url) =>
  runCompiled('migrate', [kind], { [URL_OF[kind]]: roleUrl(url, DATABASE_ROLES[kind].owner) });
