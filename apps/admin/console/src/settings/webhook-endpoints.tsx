import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Action } from '../actions/action';
import { ActionButtons } from '../actions/action-buttons';
import { actionsForEndpoint } from '../actions/entity-actions';
import { PendingDialog } from '../actions/pending-dialog';
import { api, bodyOf, type Schemas } from '../api/client';
import { EntityLink } from '../entity/entity-link';
import { WEBHOOK_ENDPOINT_TONES } from '../entity/webhook-endpoint-status';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { useMay } from '../session/session-context';
import { StatusBadge } from '../shared/status-badge';
import { sentWebhooksPath } from '../webhooks/sent-webhooks-path';
import { Time } from '../shared/time';
import { EndpointDialog } from './endpoint-dialog';
import { SETTINGS_KEY } from './settings-key';

type Endpoint = Schemas['WebhookEndpointItem'];

interface DeliveriesProps {
  readonly id: string;
  readonly state: 'pending' | 'failed';
  readonly count: number;
}

/** A number of deliveries of an endpoint, as a link to them. */
const Deliveries = ({ id, state, count }: DeliveriesProps) =>
  count === 0 ? (
    count
  ) : (
    <Link className="link" href={sentWebhooksPath(id, state)}>
      {count}
    </Link>
  );

const columnsOf = (t: Dictionary): readonly Column<Endpoint>[] => [
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
    isNumber: true,
    cell: ({ id, pendingDeliveries }) => (
      <Deliveries id={id} state="pending" count={pendingDeliveries} />
    ),
  },
  {
    id: 'failed',
    header: t.settings.failedDeliveries,
    isNumber: true,
    cell: ({ id, failedDeliveries }) => (
      <Deliveries id={id} state="failed" count={failedDeliveries} />
    ),
  },
  { id: 'created', header: t.settings.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'acts',
    header: t.actions.column,
    cell: ({ id, status, pendingDeliveries, failedDeliveries }) => (
      <ActionButtons
        isCompact
        subject={id}
        requests={actionsForEndpoint(status, id).filter(
          ({ kind }) => kind !== 'redeliver_webhooks' || pendingDeliveries + failedDeliveries > 0,
        )}
      />
    ),
  },
];

/**
 * The webhook endpoints of platforms; their URLs and secrets are never shown. A new endpoint needs
 * two admins.
 */
export const WebhookEndpoints = () => {
  const t = useT();
  const mayCreate = useMay('admin');
  const [isCreating, setCreating] = useState(false);
  const [asked, setAsked] = useState<Action | null>(null);
  const query = useQuery({
    queryKey: [...SETTINGS_KEY, 'endpoints'],
    queryFn: async () => (await bodyOf(api.GET('/v1/webhook-endpoints'))).items,
  });
  return (
    <>
      {mayCreate && (
        <Group justify="flex-end" mb="sm">
          <Button onClick={() => setCreating(true)}>{t.actions.kinds.create_endpoint}</Button>
        </Group>
      )}
      <LoadedTable
        label={t.settings.views.endpoints}
        query={query}
        columns={columnsOf(t)}
        keyOf={({ id }) => id}
        none={t.settings.none.endpoints}
      />
      {isCreating && <EndpointDialog onClose={() => setCreating(false)} onAsked={setAsked} />}
      {asked !== null && <PendingDialog action={asked} onClose={() => setAsked(null)} />}
    </>
  );
};
