export const audit = {
  title: 'Audit',
  lead: 'Who did what, newest first. Nothing is ever removed.',
  who: 'Who',
  action: 'Action',
  subject: 'On what',
};

export const users = {
  title: 'Users',
  lead: 'Who may come in, and as what.',
  leadOthers: 'Who may come in, and as what. Only an admin changes this.',
  create: 'New user',
  name: 'Name',
  nameHint: '2 to 32 lower-case letters, digits, dots, _ or -.',
  role: 'Role',
  roleHints: {
    viewer: 'Sees everything, changes nothing.',
    operator: 'Repairs, and approves what another operator repairs.',
    admin: 'What an operator may; and users, keys and accounts.',
  },
  since: 'Since',
  active: 'Active',
  invited: 'One-time password',
  disabled: 'Shut out',
  acts: {
    create: 'Create', role: 'Change role', reset: 'Reset password', disable: 'Shut out',
    enable: 'Let in again',
  },
  leads: {
    create: 'A one-time password is shown once, for you to hand over.',
    role: 'It holds from the next request on.',
    reset: 'All sessions of the user end. A new one-time password is shown once.',
    disable: 'All sessions of the user end now.',
    enable: 'The user can sign in again with the password from before.',
  },
  passwordTitle: (name: string) => `One-time password of ${name}`,
  passwordLead:
    'It is shown only now. Hand it over in a safe way; it must be changed at first use.',
  passwordDone: 'I have it',
};

export const settings = {
  title: 'Settings',
  lead:
    'Who may reach us, and by what we reach the provider. No secret is shown: none can be read.',
  views: { platforms: 'Platforms', keys: 'API keys', accounts: 'Provider accounts' },
  liveKeys: 'Live keys',
  accounts: 'Provider accounts',
  prefix: 'Key',
  scopes: 'Scopes',
  created: 'Created',
  expires: 'Expires',
  live: 'Live',
  expired: 'Expired',
  revoked: 'Revoked',
  account: 'Account',
  endpoint: 'Webhook endpoint',
  noEndpoint: 'None yet',
};
