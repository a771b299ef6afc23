import type { AccountEvent } from '#account';
import type { List } from '#lists';
import { ACCOUNT_MODES } from '#psp';

const KINDS = [
  'account_registered',
  'account_awaiting_approval',
  'account_approved',
  'account_key_rotated',
  'account_disabled',
] as const;

type Kind = (typeof KINDS)[number];

const KIND_OF: Readonly<Record<AccountEvent['type'], Kind>> = {
  ProviderAccountRegistered: 'account_registered',
  ProviderAccountApproved: 'account_approved',
  ProviderAccountKeyRotated: 'account_key_rotated',
  ProviderAccountDisabled: 'account_disabled',
};

/**
 * The SQL expression for the kind of a notice. A provider account that was registered without
 * `ordersFrom` takes no orders until operators approve it.
 */
const KIND = `
  CASE WHEN e.type = 'ProviderAccountRegistered' AND e.data ->> 'ordersFrom' IS NULL
       THEN 'account_awaiting_approval'
       ${Object.entries(KIND_OF)
         .map(([type, kind]) => `WHEN e.type = '${type}' THEN '${kind}'`)
         .join(' ')}
  END`;

/**
 * The list of notices for a platform. Each notice reports a change of a merchant's provider
 * account, and is derived from an event of the account.
 */
export const NOTICE_LIST: List = {
  name: 'notices',
  items: 'Notices',
  item: 'Notice',
  from: `provider_accounts a JOIN events e ON e.stream_type = 'account' AND e.stream_id = a.id
          AND e.type IN (${Object.keys(KIND_OF)
            .map((type) => `'${type}'`)
            .join(', ')})`,
  platform: 'a.platform_id',
  id: 'e.event_id',
  idIs: 'uuid',
  columns: {
    id: { sql: 'e.event_id', means: 'The event’s id, the same as on the Kafka topic.' },
    kind: {
      sql: KIND,
      oneOf: KINDS,
      means:
        '`account_awaiting_approval`: a different account was registered, and orders will use ' +
        'it once two ' +
        'operators have approved it. Withdraw it if you did not register it: ' +
        '`POST /v1/provider-accounts/{id}/withdraw`.',
    },
    accountId: { sql: 'a.id' },
    merchantId: { sql: 'a.merchant_id' },
    mode: { sql: 'a.mode', oneOf: ACCOUNT_MODES },
    ordersFrom: {
      sql: `(e.data ->> 'ordersFrom')`,
      nullable: true,
      holds: 'instant',
      means:
        'The instant from which new orders use the account; null if the notice does not set it.',
    },
    actor: { sql: `(e.metadata ->> 'actor')`, means: 'The actor, e.g. `platform:shop`.' },
    at: { sql: `(e.data ->> 'at')`, holds: 'instant' },
  },
  filters: {},
  sorts: { recorded: { by: 'e.recorded_at', of: 'instant' } },
};
