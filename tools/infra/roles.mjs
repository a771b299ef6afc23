import { createHmac } from 'node:crypto';

import { Failure } from './failure.mjs';

/** @type {typeof import('./roles.mjs').DATABASE_ROLES} */
export const DATABASE_ROLES = {
  orchestrator: {
    owner: 'orchestrator_owner',
    apps: {
      api: 'orchestrator_api',
      worker: 'orchestrator_worker',
      all: 'orchestrator_all',
      admin: 'orchestrator_admin',
      ops: 'orchestrator_ops',
    },
  },
  sandbox: { owner: 'sandbox_owner', apps: { sandbox: 'sandbox_app' } },
  // The fulfilment example connects as the owner, because it creates its tables itself, so it needs
  // no other roles.
  fulfilment: { owner: 'fulfilment_app', apps: {} },
};

/** @type {typeof import('./roles.mjs').rolePassword} */
export const rolePassword = (serverUrl, role) => {
  const { password } = new URL(serverUrl);
  if (password === '') {
    throw new Failure(
      'DATABASE_URL must contain a password, because the passwords of the roles are derived from it.',
    );
  }
  return createHmac('sha256', decodeURIComponent(password)).update(role).digest('hex');
};

/** @type {typeof import('./roles.mjs').roleUrl} */
export const roleUrl = (serverUrl, role) => {
  const url = new URL(serverUrl);
  const password = rolePassword(serverUrl, role);
  url.username = role;
  url.password = password;
  return url.toString();
};
