import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { ActionButtons } from '../actions/action-buttons';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import { ListPage } from '../list/list-page';
import { choicesOf } from '../list/status-choices';
import type { PageQuery } from '../list/use-pages';
import { Note } from '../shared/note';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';
import { SentWebhooks } from './sent-webhooks';

type Webhook = Schemas['WebhookItem'];
type Refused = Schemas['RefusedItem'];
type WebhookQuery = NonNullable<paths['/v1/webhooks']['get']['parameters']['query']>;
type RefusedQuery = NonNullable<paths['/v1/webhooks-refused']['get']['parameters']['query']>;

const mono = (text: string | null) =>
  text !== null && (
    <span className="mono" title={text}>
      {text}
    </span>
  );

const webhookColumns = (t: Dictionary): readonly Column<Webhook>[] => [
  { id: 'at', header: t.webhooks.received, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  {
    id: 'type',
    header: t.webhooks.type,
    cell: ({ type, eventId }) => (
      <div>
        {type}
        <div>{mono(eventId)}</div>
      </div>
    ),
  },
  {
    id: 'state',
    header: t.shared.status,
    cell: ({ handledAt, tries }) =>
      handledAt === null ? (
        <StatusBadge tone={tries > 0 ? 'bad' : 'wait'} label={t.webhooks.open(tries)} />
      ) : (
        <StatusBadge tone="ok" label={t.webhooks.handled} />
      ),
  },
  {
    id: 'acts',
    header: t.actions.column,
    // A webhook can be reprocessed only after a first attempt; without one it is still queued.
    cell: ({ id, type, handledAt, tries }) =>
      (handledAt !== null || tries > 0) && (
        <ActionButtons
          isCompact
          subject={`${type} ${id}`}
          requests={[{ kind: 'reprocess_webhook', target: { subjectId: id } }]}
        />
      ),
  },
  {
    id: 'note',
    header: t.webhooks.note,
    cell: ({ note }) =>
      note !== null && (
        <span className="prose">
          <Note text={note} />
        </span>
      ),
  },
  { id: 'intent', header: t.lists.payments.intent, cell: ({ intentId }) => mono(intentId) },
  { id: 'account', header: t.webhooks.account, cell: ({ accountId }) => mono(accountId) },
];

const refusedColumns = (t: Dictionary): readonly Column<Refused>[] => [
  { id: 'at', header: t.webhooks.received, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  {
    id: 'reason',
    header: t.shared.reason,
    cell: ({ reason }) => (
      <span lang="en">
        <StatusBadge tone="bad" label={reason} />
      </span>
    ),
  },
  { id: 'account', header: t.webhooks.account, cell: ({ accountId }) => mono(accountId) },
  { id: 'bytes', header: t.webhooks.bytes, isNumber: true, cell: ({ bodyBytes }) => bodyBytes },
  { id: 'sha', header: t.webhooks.sha, cell: ({ bodySha256 }) => mono(bodySha256.slice(0, 16)) },
];

const readReceived = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/webhooks', { params: { query: query as WebhookQuery }, signal }));
const readRefused = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/webhooks-refused', { params: { query: query as RefusedQuery }, signal }));

const VIEWS: readonly string[] = ['refused', 'sent'];

/**
 * The accepted webhooks of the provider, the webhooks without a valid signature, and the webhooks
 * that are sent to platforms.
 */
export const WebhooksPage = () => {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const view = params.get('view') ?? '';
  const choice = (
    <SegmentedControl
      aria-label={t.webhooks.view}
      value={VIEWS.includes(view) ? view : 'received'}
      data={[
        { value: 'received', label: t.webhooks.accepted },
        { value: 'refused', label: t.webhooks.refused },
        { value: 'sent', label: t.webhooks.sent },
      ]}
      onChange={(next) => setParams(VIEWS.includes(next) ? { view: next } : {})}
    />
  );
  if (view === 'sent') return <SentWebhooks choice={choice} />;
  const common = { title: t.webhooks.title, csvPath: null, actions: choice } as const;
  return view === 'refused' ? (
    <ListPage
      {...common}
      name="webhooks-refused"
      none={t.webhooks.noneRefused}
      lead={t.webhooks.leadRefused}
      fields={[{ name: 'accountId', label: t.webhooks.account, kind: 'text' }]}
      columns={refusedColumns(t)}
      keyOf={({ id }) => id}
      read={readRefused}
    />
  ) : (
    <ListPage
      {...common}
      name="webhooks"
      none={t.webhooks.none}
      lead={t.webhooks.lead}
      fields={[
        {
          name: 'state',
          label: t.shared.status,
          kind: 'choice',
          choices: choicesOf(t.webhooks.states),
        },
        { name: 'eventId', label: t.webhooks.event, kind: 'text' },
        { name: 'intentId', label: t.lists.payments.intent, kind: 'text' },
        { name: 'accountId', label: t.webhooks.account, kind: 'text' },
      ]}
      columns={webhookColumns(t)}
      keyOf={({ id }) => id}
      read={readReceived}
    />
  );
};
