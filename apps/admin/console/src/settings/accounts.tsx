import { useQuery } from '@tanstack/react-query';
import { ActionButtons } from '../actions/action-buttons';
import { api, bodyOf, type Schemas } from '../api/client';
import { ACCOUNT_TONES } from '../entity/account-status';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';
import { actionsForAccount } from './account-actions';
import { SETTINGS_KEY } from './settings-key';

type Account = Schemas['AccountItem'];

/** The provider accounts and their health; their keys are never shown. */
export const Accounts = () => {
  const t = useT();
  const query = useQuery({
    queryKey: [...SETTINGS_KEY, 'accounts'],
    queryFn: async () => (await bodyOf(api.GET('/v1/provider-accounts'))).items,
  });
  const columns: readonly Column<Account>[] = [
    { id: 'id', header: t.settings.account, cell: ({ id }) => <EntityLink id={id} /> },
    { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
    {
      id: 'merchant',
      header: t.shared.merchant,
      cell: ({ merchantId }) => <EntityLink id={merchantId} />,
    },
    { id: 'mode', header: t.merchants.mode, cell: ({ mode }) => mode },
    {
      id: 'status',
      header: t.shared.status,
      cell: ({ status }) => (
        <StatusBadge tone={ACCOUNT_TONES[status]} label={t.settings.accountStatus[status]} />
      ),
    },
    {
      id: 'orders',
      header: t.settings.ordersFrom,
      cell: ({ ordersFrom }) => (ordersFrom === null ? null : <Time at={ordersFrom} />),
    },
    {
      id: 'endpoint',
      header: t.settings.endpoint,
      cell: ({ webhookEndpointId }) =>
        webhookEndpointId === null ? (
          <StatusBadge tone="wait" label={t.settings.noEndpoint} />
        ) : (
          <span className="mono">{webhookEndpointId}</span>
        ),
    },
    {
      id: 'reads',
      header: t.settings.reads,
      cell: ({ failingReads }) =>
        failingReads === 0 ? (
          <StatusBadge tone="ok" label={t.settings.readsGood} />
        ) : (
          <StatusBadge tone="bad" label={t.settings.readsFailing(failingReads)} />
        ),
    },
    { id: 'created', header: t.settings.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'acts',
      header: t.actions.column,
      cell: (account) => (
        <ActionButtons isCompact subject={account.id} requests={actionsForAccount(account)} />
      ),
    },
  ];
  return (
    <LoadedTable
      label={t.settings.views.accounts}
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      none={t.settings.none.accounts}
    />
  );
};
