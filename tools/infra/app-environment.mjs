import { DATABASE_ROLES, roleUrl } from './roles.mjs';

const OF_PROVIDER = ['SECRETS_KEY', 'PARTNER_TEST_KEY', 'PARTNER_LIVE_KEY'];
const OF_API = ['DATABASE_URL', ...OF_PROVIDER, 'TLS_KEY_FILE'];
const OF_WORKER = ['DATABASE_URL', ...OF_PROVIDER, 'KAFKA_SASL_PASSWORD'];

/** @type {typeof import('./app-environment.mjs').SECRETS_OF} */
export const SECRETS_OF = {
  api: OF_API,
  worker: OF_WORKER,
  all: [...new Set([...OF_API, ...OF_WORKER])],
  admin: [
    'DATABASE_URL',
    'SECRETS_KEY',
    'ADMIN_OIDC_CLIENT_SECRET',
    'NOTICE_WEBHOOK_URL',
    'NOTICE_SMTP_URL',
  ],
  // The sandbox process contains two programs: the provider with its keys, and the demo shop with a
  // platform's API key.
  sandbox: [
    'SANDBOX_DATABASE_URL',
    'SANDBOX_SECRETS_KEY',
    'SANDBOX_TEST_KEY',
    'SANDBOX_LIVE_KEY',
    'SANDBOX_PARTNERS',
    'PARTNER_TEST_KEY',
    'PARTNER_LIVE_KEY',
    'SHOP_API_KEY',
    'TLS_KEY_FILE',
  ],
  fulfilment: ['FULFILMENT_DATABASE_URL', 'ORCHESTRATOR_API_KEY', 'KAFKA_SASL_PASSWORD'],
};

const ALL_SECRETS = new Set(Object.values(SECRETS_OF).flat());

/** @type {typeof import('./app-environment.mjs').withoutOthersSecrets} */
export const withoutOthersSecrets = (app, env) => {
  const own = SECRETS_OF[app] ?? [];
  const isOthers = (name) =>
    [name, name.replace(/_FILE$/, '')].some((one) => ALL_SECRETS.has(one)) &&
    ![name, name.replace(/_FILE$/, '')].some((one) => own.includes(one));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOthers(name)));
};

const ROLES = [
  ['DATABASE_URL', DATABASE_ROLES.orchestrator.apps],
  ['SANDBOX_DATABASE_URL', DATABASE_ROLES.sandbox.apps],
  ['FULFILMENT_DATABASE_URL', { fulfilment: DATABASE_ROLES.fulfilment.owner }],
];

/** @type {typeof import('./app-environment.mjs').environmentFor} */
export const environmentFor = (app, env) => {
  const own = withoutOthersSecrets(app, env);
  for (const [name, roles] of ROLES) {
    if (own[name] !== undefined) own[name] = roleUrl(own[name], roles[app]);
  }
  return own;
};
