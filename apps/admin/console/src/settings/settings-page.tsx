import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { ActionButtons } from '../actions/action-buttons';
import { api, bodyOf, type Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../shared/loaded-table';
import { PageHeader } from '../shared/page-header';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';

type Platform = Schemas['PlatformItem'];
type ApiKey = Schemas['ApiKeyItem'];
type Account = Schemas['AccountItem'];

const Platforms = ({ t }: { readonly t: Dictionary }) => {
  const query = useQuery({
    queryKey: ['settings', 'platforms'],
    queryFn: async () => (await bodyOf(api.GET('/v1/platforms'))).items,
  });
  const columns: readonly Column<Platform>[] = [
    { id: 'id', header: t.shared.platform, cell: ({ id }) => <strong>{id}</strong> },
    { id: 'keys', header: t.settings.liveKeys, isNumber: true, cell: ({ liveKeys }) => liveKeys },
    { id: 'accounts', header: t.settings.accounts, isNumber: true, cell: (one) => one.accounts },
  ];
  return (
    <LoadedTable
      label={t.settings.views.platforms} query={query} columns={columns} keyOf={({ id }) => id}
      none={t.shared.nothing}
    />
  );
};

const keyBadge = ({ revokedAt, expiresAt }: ApiKey, t: Dictionary) => {
  if (revokedAt !== null) return <StatusBadge tone="calm" label={t.settings.revoked} />;
  const isOver = expiresAt !== null && Date.parse(expiresAt) < Date.now();
  return isOver
    ? <StatusBadge tone="calm" label={t.settings.expired} />
    : <StatusBadge tone="ok" label={t.settings.live} />;
};

const ApiKeys = ({ t }: { readonly t: Dictionary }) => {
  const query = useQuery({
    queryKey: ['settings', 'api-keys'],
    queryFn: async () => (await bodyOf(api.GET('/v1/api-keys'))).items,
  });
  const columns: readonly Column<ApiKey>[] = [
    {
      id: 'prefix', header: t.settings.prefix,
      cell: ({ prefix }) => <span className="mono">{prefix}…</span>,
    },
    { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
    { id: 'scopes', header: t.settings.scopes, cell: ({ scopes }) => scopes.join(', ') },
    { id: 'status', header: t.shared.status, cell: (key) => keyBadge(key, t) },
    { id: 'created', header: t.settings.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'expires', header: t.settings.expires,
      cell: ({ expiresAt }) => expiresAt !== null && <Time at={expiresAt} />,
    },
  ];
  return (
    <LoadedTable
      label={t.settings.views.keys} query={query} columns={columns} keyOf={({ prefix }) => prefix}
      none={t.shared.nothing}
    />
  );
};

const Accounts = ({ t }: { readonly t: Dictionary }) => {
  const query = useQuery({
    queryKey: ['settings', 'accounts'],
    queryFn: async () => (await bodyOf(api.GET('/v1/provider-accounts'))).items,
  });
  const columns: readonly Column<Account>[] = [
    { id: 'id', header: t.settings.account, cell: ({ id }) => <span className="mono">{id}</span> },
    { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
    { id: 'merchant', header: t.shared.merchant, cell: ({ merchantId }) => merchantId },
    { id: 'mode', header: t.merchants.mode, cell: ({ mode }) => mode },
    {
      id: 'endpoint', header: t.settings.endpoint,
      cell: ({ webhookEndpointId }) => (webhookEndpointId === null
        ? <StatusBadge tone="wait" label={t.settings.noEndpoint} />
        : <span className="mono">{webhookEndpointId}</span>),
    },
    { id: 'created', header: t.settings.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'acts', header: t.actions.column,
      cell: ({ id }) => (
        <ActionButtons
          isCompact subject={id} wishes={[{ kind: 'poll_account', target: { subjectId: id } }]}
        />
      ),
    },
  ];
  return (
    <LoadedTable
      label={t.settings.views.accounts} query={query} columns={columns} keyOf={({ id }) => id}
      none={t.shared.nothing}
    />
  );
};

const VIEWS = { platforms: Platforms, keys: ApiKeys, accounts: Accounts } as const;

type View = keyof typeof VIEWS;

/** Who may reach us, and by what we reach the provider. No secret is here: none can be read. */
export const SettingsPage = () => {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const names = Object.keys(VIEWS) as View[];
  const view = names.find((one) => one === params.get('view')) ?? 'platforms';
  return (
    <>
      <PageHeader title={t.settings.title} lead={t.settings.lead} />
      <Tabs
        value={view} keepMounted={false}
        onChange={(next) => setParams(next === null ? {} : { view: next })}
      >
        <Tabs.List mb="md">
          {names.map((one) => (
            <Tabs.Tab key={one} value={one}>{t.settings.views[one]}</Tabs.Tab>
          ))}
        </Tabs.List>
        {names.map((one) => {
          const Content = VIEWS[one];
          return <Tabs.Panel key={one} value={one}><Content t={t} /></Tabs.Panel>;
        })}
      </Tabs>
    </>
  );
};
