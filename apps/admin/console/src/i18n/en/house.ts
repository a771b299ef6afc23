export const audit = {
  title: 'Audit',
  none: 'Nobody has done anything yet.',
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
};

export const settings = {
  title: 'Settings',
  lead:
    'Who may reach us, and by what we reach the provider. No stored secret can be read.',
  views: { platforms: 'Platforms', keys: 'API keys', accounts: 'Provider accounts' },
  none: {
    platforms: 'No platform has a key yet.', keys: 'No key has been made yet.',
    accounts: 'No provider account is registered yet.',
  },
  liveKeys: 'Live keys',
  accounts: 'Provider accounts',
  prefix: 'Key',
  scopes: 'Scopes',
  created: 'Created',
  expires: 'Expires',
  expiresHint: 'Empty: it lasts until it is revoked.',
  never: 'Never',
  newKey: 'New key',
  newKeyLead:
    'A platform has at most two live keys: make the new one, roll it out, revoke the old one.',
  makeKey: 'Make the key',
  platformHint: '1 to 64 letters, digits, _ or -. A new name is a new platform.',
  allScopes: 'All scopes',
  keyTitle: 'The new API key',
  keyLead: 'It is shown only now, and kept as a hash alone. Hand it over in a safe way.',
  revoke: 'Revoke',
  revokeLead: 'Calls with this key are refused everywhere within 5 seconds, for good.',
  live: 'Live',
  expired: 'Expired',
  revoked: 'Revoked',
  account: 'Account',
  endpoint: 'Webhook endpoint',
  noEndpoint: 'None yet',
  reads: 'Reads',
  readsGood: 'Go well',
  readsFailing: (count: number) => `${count} failing`,
};
