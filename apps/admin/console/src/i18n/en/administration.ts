export const audit = {
  title: 'Audit',
  none: 'No audit entries.',
  lead: 'Every user action, newest first. Entries are never changed or deleted.',
  who: 'Actor',
  action: 'Action',
  subject: 'Subject',
  show: 'Show',
  hide: 'Hide',
  /** The labels of actors, by the actor's type, which is the text before the colon. */
  actors: {
    anonymous: 'Not signed in',
    commandLine: (user: string) => `CLI (${user})`,
    platform: (platform: string) => `Platform ${platform}`,
    platformKey: (platform: string, key: string) => `Platform ${platform}, API key ${key}`,
    workflow: (workflow: string) => `${workflow} workflow`,
    provider: 'Provider',
    clock: 'Scheduler',
    console: 'Console',
    reconciliation: 'Reconciliation',
  },
};

export const users = {
  title: 'Users',
  lead: 'Console users and their roles.',
  leadOthers: 'Console users and their roles. Only an admin can change them.',
  create: 'Create user',
  name: 'Name',
  nameHint: '2 to 32 lower-case letters, digits, dots, _ or -.',
  role: 'Role',
  roleHints: {
    viewer: 'Can view everything and change nothing.',
    operator: 'Can request actions and approve those of other operators.',
    admin: 'Operator rights, plus users, API keys and provider accounts.',
  },
  access: 'Access',
  seesEverything: 'Everything',
  scope: 'Platforms and merchants',
  scopeHint:
    'One per line, such as “acme” or “acme merchant-1” (platform, space, merchant id). Empty: ' +
    'everything.',
  scopeWrong: 'On each line, write a platform, or a platform, a space and a merchant id.',
  limits: 'Highest amount of one action',
  limitsHint:
    'One per line, such as “eur 500.00”. The refunds of one payment count together. Amounts in ' +
    'other currencies are refused. Empty: no limit.',
  limitsWrong: 'Write a currency and an amount on each line.',
  since: 'Created',
  active: 'Active',
  secondFactor: 'Second factor',
  hasSecondFactor: 'Set up',
  noSecondFactor: 'None',
  identity: 'Single sign-on (identity provider)',
  identities: {
    none: 'None',
    registered: 'Awaits the first sign-in',
    expired: 'Expired: no sign-in within seven days',
    linked: 'Linked',
  },
  email: 'Email address',
  emailHint:
    'As the identity provider has verified it. The stored address is deleted after the first ' +
    'sign-in.',
  invited: 'One-time password not changed',
  disabled: 'Disabled',
  acts: {
    create: 'Create',
    role: 'Change role',
    access: 'Change access',
    reset: 'Reset password',
    resetFactor: 'Reset second factor',
    registerIdentity: 'Link single sign-on',
    removeIdentity: 'Unlink single sign-on',
    disable: 'Disable',
    enable: 'Enable',
  },
  leads: {
    create: 'A one-time password is shown once. Hand it over to the user.',
    createWithAccount: 'The user signs in by single sign-on, without a password.',
    role: 'A higher role applies after a second admin has approved it, a lower one at once.',
    access:
      'More rights of an operator or admin apply after a second admin has approved them, any ' +
      'other change applies at once. A user limited to platforms or merchants ' +
      'does not see Queues, Settings or Users.',
    reset: 'All sessions of the user end. A new one-time password is shown once.',
    resetFactor:
      'For a user who has lost the device and the recovery codes. All sessions of the user end; ' +
      'the password alone then suffices to set up a new second factor, unless single sign-on is ' +
      'linked: then only a sign-in at the identity provider.',
    registerIdentity:
      'The first sign-in at the identity provider with this verified email address, within ' +
      'seven days, links single sign-on to the user. An existing link is removed: all ' +
      'sessions of the user end, and action requests that await approval are rejected. For operators ' +
      'and admins, all this waits for a second admin’s approval.',
    removeIdentity:
      'All sessions of the user end, and the user’s action requests that await approval are ' +
      'rejected. The user can still sign in with the password.',
    disable: 'All sessions of the user end immediately.',
    enable: 'The user can sign in again with the previous password.',
  },
  passwordTitle: (name: string) => `One-time password of ${name}`,
  passwordLead:
    'The password is shown only once. Hand it over securely; the user must change it at the ' +
    'first sign-in.',
};

export const settings = {
  title: 'Settings',
  lead:
    'Platforms, API keys, limits, provider accounts and webhook endpoints. Stored secrets ' +
    'cannot be read.',
  views: {
    platforms: 'Platforms',
    keys: 'API keys',
    limits: 'Daily limits',
    accounts: 'Provider accounts',
    endpoints: 'Webhook endpoints',
  },
  none: {
    platforms: 'No platforms.',
    keys: 'No API keys.',
    accounts: 'No provider accounts.',
    endpoints: 'No webhook endpoints.',
    limits: 'No daily limits.',
  },
  liveKeys: 'Active keys',
  accounts: 'Provider accounts',
  prefix: 'Key',
  scopes: 'Permissions (scopes)',
  created: 'Created',
  expires: 'Expires',
  expiresHint: 'Leave empty for a key without expiry.',
  never: 'Never',
  newKey: 'Create key',
  newKeyLead:
    'Each service of a platform has its own key; a platform has at most 20 active keys. To replace ' +
    'a key, create the new one, put it into use, then revoke the old one. A key with a permission that can move money, or with webhooks:write, works only ' +
    'after a second admin’s approval.',
  makeKey: 'Create key',
  platformHint:
    '1 to 64 letters, digits, _ or -, but not “console”. A new name creates a new platform.',
  allScopes: 'Select all permissions',
  keyTitle: 'New API key',
  keyLead: 'The key is shown only once and cannot be shown again. Hand it over securely.',
  revoke: 'Revoke',
  revokeLead: 'Requests with this key are rejected within 5 seconds. This cannot be undone.',
  live: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  account: 'Account',
  accountStatus: {
    awaiting_approval: 'Awaiting approval',
    scheduled: 'Scheduled',
    taking_orders: 'In use',
    approved: 'Approved',
    replaced: 'Replaced',
    disabled: 'Disabled',
  },
  ordersFrom: 'In use from',
  newEndpointLead:
    'The endpoint receives the events of the platform. It is created when a second admin approves ' +
    'it. Its URL and secret are stored encrypted and are not shown here: the platform reads them ' +
    'with its API key, GET /v1/webhook-endpoints/{id}/secret.',
  endpointFields: {
    platformId: { label: 'Platform', description: 'It needs an API key to read the secret.' },
    url: { label: 'URL', description: 'An https URL at a public address.' },
    eventTypes: {
      label: 'Event types',
      description:
        'Separated by spaces, such as “OrderPaid”. “Order*” means all types that begin with ' +
        'Order, “*” alone all types.',
    },
    merchantId: { label: 'Merchant', description: 'Leave empty for the events of all merchants.' },
  },
  endpointStatus: {
    enabled: 'Enabled',
    failing: 'Failing',
    disabled: 'Disabled',
    deleted: 'Deleted',
  },
  endpointHost: 'Host',
  endpointSince: 'Failing or disabled since',
  allMerchants: 'All',
  pendingDeliveries: 'Pending deliveries',
  failedDeliveries: 'Failed deliveries',
  endpoint: 'Webhook endpoint',
  noEndpoint: 'Not registered',
  reads: 'Polling',
  holder: 'Applies to',
  holders: { key: 'API key', platform: 'Platform', mandate: 'Mandate' },
  holderId: 'Key, platform or mandate',
  holderHint:
    'The beginning of an API key, a platform id or a mandate id; * sets the default for all that ' +
    'have no limit of their own.',
  everyHolder: 'Default',
  operation: 'Operation',
  operations: { refund: 'Refunds', capture: 'Captures', debit: 'Mandate debits' },
  unit: 'Unit',
  units: { amount: 'Minor units (e.g. cents) of each currency', count: 'Operations' },
  daily: 'Limit per day (UTC)',
  newLimit: 'Change limit',
  readsGood: 'Healthy',
  readsFailing: (count: number) => `${count} ${count === 1 ? 'poll' : 'polls'} failing`,
};
