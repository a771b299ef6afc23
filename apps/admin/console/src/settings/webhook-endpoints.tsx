import { useQuery } from '@tanstack/react-query';
import { ActionButtons } from '../actions/action-buttons';
import { actionsForEndpoint } from '../actions/entity-actions';
import { api, bodyOf, type Schemas } from '../api/client';
import { EntityLink } from '../entity/entity-link';
import { WEBHOOK_ENDPOINT_TONES } from '../entity/webhook-endpoint-status';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';
import { SETTINGS_KEY } from './settings-key';

type Endpoint = Schemas['WebhookEndpointItem'];

/** The webhook endpoints of platforms; their URLs and secrets are never shown. */
export const WebhookEndpoints = () => {
  const t = useT();
  const query = useQuery({
    queryKey: [...SETTINGS_KEY, 'endpoints'],
    queryFn: async () => (await bodyOf(api.GET('/v1/webhook-endpoints'))).items,
  });
  const columns: readonly Column<Endpoint>[] = [
    { id: 'id', header: t.settings.endpoint, cell: ({ id }) => <EntityLink id={id} /> },
    { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
    { id: 'host', header: t.settings.endpointHost, cell: ({ host }) => host },
    {
      id: 'merchant',
      header: t.shared.merchant,
      cell: ({ merchantId }) =>
        merchantId === null ? t.settings.allMerchants : <EntityLink id={merchantId} />,
    },
    {
      id: 'status',
      header: t.shared.status,
      cell: ({ status }) => (
        <StatusBadge
          tone={WEBHOOK_ENDPOINT_TONES[status]}
          label={t.settings.endpointStatus[status]}
        />
      ),
    },
    {
      id: 'since',
      header: t.settings.endpointSince,
      cell: ({ since }) => (since === null ? null : <Time at={since} />),
    },
    {
      id: 'pending',
      header: t.settings.pendingDeliveries,
      cell: ({ pendingDeliveries }) => pendingDeliveries,
    },
    {
      id: 'failed',
      header: t.settings.failedDeliveries,
      cell: ({ failedDeliveries }) => failedDeliveries,
    },
    { id: 'created', header: t.settings.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'acts',
      header: t.actions.column,
      cell: ({ id, status }) => (
        <ActionButtons isCompact subject={id} requests={actionsForEndpoint(status, id)} />
      ),
    },
  ];
  return (
    <LoadedTable
      label={t.settings.views.endpoints}
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      none={t.settings.none.endpoints}
    />
  );
};
