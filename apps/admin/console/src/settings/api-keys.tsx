import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { useMay } from '../session/session-context';
import { ShownOnce } from '../shared/shown-once';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';
import { CreateKeyDialog, type MadeKey, RevokeKeyDialog } from './api-key-dialogs';
import { SETTINGS_KEY } from './settings-key';

type ApiKey = Schemas['ApiKeyItem'];

const isLive = ({ revokedAt, expiresAt }: ApiKey): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());

const keyBadge = (key: ApiKey, t: Dictionary) => {
  if (isLive(key)) return <StatusBadge tone="ok" label={t.settings.live} />;
  const label = key.revokedAt === null ? t.settings.expired : t.settings.revoked;
  return <StatusBadge tone="calm" label={label} />;
};

/** `onRevoke` is null for roles that cannot revoke keys. */
const columnsOf = (
  t: Dictionary,
  onRevoke: ((key: ApiKey) => void) | null,
): readonly Column<ApiKey>[] => [
  {
    id: 'prefix',
    header: t.settings.prefix,
    cell: ({ prefix }) => <span className="mono">{prefix}…</span>,
  },
  { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
  { id: 'scopes', header: t.settings.scopes, cell: ({ scopes }) => scopes.join(', ') },
  { id: 'status', header: t.shared.status, cell: (key) => keyBadge(key, t) },
  { id: 'created', header: t.settings.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'expires',
    header: t.settings.expires,
    cell: ({ expiresAt }) => (expiresAt === null ? t.settings.never : <Time at={expiresAt} />),
  },
  ...(onRevoke === null
    ? []
    : [
        {
          id: 'acts',
          header: t.actions.column,
          cell: (key: ApiKey) =>
            isLive(key) && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t.shared.labeled(t.settings.revoke, key.prefix)}
                onClick={() => onRevoke(key)}
              >
                {t.settings.revoke}
              </Button>
            ),
        },
      ]),
];

/** The API keys of the platforms, which admins create and revoke. */
export const ApiKeys = () => {
  const t = useT();
  const mayChange = useMay('admin');
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const [made, setMade] = useState<MadeKey | null>(null);
  const query = useQuery({
    queryKey: [...SETTINGS_KEY, 'api-keys'],
    queryFn: async () => (await bodyOf(api.GET('/v1/api-keys'))).items,
  });
  return (
    <>
      {mayChange && (
        <Group justify="flex-end" mb="sm">
          <Button onClick={() => setCreating(true)}>{t.settings.newKey}</Button>
        </Group>
      )}
      <LoadedTable
        label={t.settings.views.keys}
        query={query}
        keyOf={({ prefix }) => prefix}
        columns={columnsOf(t, mayChange ? setRevoked : null)}
        none={t.settings.none.keys}
      />
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} onKey={setMade} />}
      {revoked !== null && (
        <RevokeKeyDialog prefix={revoked.prefix} onClose={() => setRevoked(null)} />
      )}
      {made !== null && (
        <ShownOnce
          title={t.settings.keyTitle}
          text={made.key}
          lead={
            made.action === null
              ? t.settings.keyLead
              : `${t.settings.keyLead} ${t.actions.secretWaits}`
          }
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
};
