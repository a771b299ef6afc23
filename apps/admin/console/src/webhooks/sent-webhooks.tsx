import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActionButtons } from '../actions/action-buttons';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { EntityLink } from '../entity/entity-link';
import { eventText } from '../i18n/event-text';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { ListPage } from '../list/list-page';
import { choicesOf } from '../list/status-choices';
import type { PageQuery } from '../list/use-pages';
import { StatusBadge, type Tone } from '../shared/status-badge';
import { Time } from '../shared/time';
import { useMay } from '../session/session-context';

type Sent = Schemas['WebhookDeliveryItem'];
type Query = NonNullable<paths['/v1/webhook-deliveries']['get']['parameters']['query']>;
type Filter = 'state' | 'endpointId' | 'platformId' | 'from' | 'to';

const TONES: Readonly<Record<Sent['state'], Tone>> = {
  pending: 'wait',
  delivered: 'ok',
  failed: 'bad',
  skipped: 'calm',
};

const isOpen = ({ state }: Sent): boolean => state === 'pending' || state === 'failed';

/** The maximum number of chosen webhooks that one action sends. */
const MAX_SENT = 200;

const STATUS = /^\d{3}$/;

const columnsOf = (t: Dictionary): readonly Column<Sent>[] => [
  { id: 'created', header: t.webhooks.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'type',
    header: t.webhooks.type,
    cell: ({ eventType }) => <span title={eventType}>{eventText(t, eventType) ?? eventType}</span>,
  },
  { id: 'subject', header: t.cases.subject, cell: ({ subject }) => <EntityLink id={subject} /> },
  {
    id: 'state',
    header: t.shared.status,
    cell: ({ state }) => <StatusBadge tone={TONES[state]} label={t.webhooks.sentStates[state]} />,
  },
  {
    id: 'attempts',
    header: t.webhooks.attempts,
    isNumber: true,
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'result',
    header: t.webhooks.lastResult,
    cell: ({ lastResult }) =>
      lastResult !== null &&
      (STATUS.test(lastResult) ? (
        t.webhooks.withStatus(lastResult)
      ) : (
        <span className="nowrap" title={lastResult}>
          {t.webhooks.results[lastResult] ?? lastResult}
        </span>
      )),
  },
  { id: 'host', header: t.settings.endpointHost, cell: ({ host }) => host },
  {
    id: 'endpoint',
    header: t.webhooks.endpoint,
    cell: ({ endpointId }) => <EntityLink id={endpointId} />,
  },
  { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  {
    name: 'state',
    label: t.shared.status,
    kind: 'several',
    choices: choicesOf(t.webhooks.sentStates),
  },
  { name: 'endpointId', label: t.webhooks.endpoint, kind: 'text' },
  { name: 'platformId', label: t.shared.platform, kind: 'text' },
  { name: 'from', label: t.shared.from, kind: 'day' },
  { name: 'to', label: t.shared.to, kind: 'day' },
];

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/webhook-deliveries', { params: { query: query as Query }, signal }));

/** Sends the selected webhooks again that are pending or failed; they must have one endpoint. */
const Redelivery = ({ rows }: { readonly rows: readonly Sent[] }) => {
  const t = useT();
  const mayAct = useMay('operator');
  const open = rows.filter(isOpen);
  const [endpointId, ...others] = new Set(open.map((row) => row.endpointId));
  if (!mayAct || rows.length === 0) return null;
  if (endpointId === undefined) return <Text size="sm">{t.webhooks.delivered}</Text>;
  if (others.length > 0) return <Text size="sm">{t.webhooks.ofSeveral}</Text>;
  if (open.length > MAX_SENT) return <Text size="sm">{t.webhooks.tooMany(MAX_SENT)}</Text>;
  const target = { subjectId: endpointId, deliveryIds: open.map(({ id }) => id) };
  return (
    <ActionButtons
      requests={[{ kind: 'redeliver_webhooks', target }]}
      subject={t.webhooks.toSend(open.length)}
    />
  );
};

interface SentWebhooksProps {
  /** The control that selects one of the lists of webhooks. */
  readonly choice: ReactNode;
}

/** The webhooks that are sent to platforms, and their redelivery. */
export const SentWebhooks = ({ choice }: SentWebhooksProps) => {
  const t = useT();
  return (
    <ListPage
      name="webhook-deliveries"
      title={t.webhooks.title}
      lead={t.webhooks.leadSent}
      none={t.webhooks.noneSent}
      fields={fieldsOf(t)}
      columns={columnsOf(t)}
      keyOf={({ id }) => id}
      read={read}
      csvPath={null}
      actions={choice}
      actionsOf={(rows) => <Redelivery rows={rows} />}
    />
  );
};
