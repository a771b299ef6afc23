import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { SETTINGS_KEY } from './settings-key';

type Platform = Schemas['PlatformItem'];

/** The platforms that have an API key or a provider account. */
export const Platforms = () => {
  const t = useT();
  const query = useQuery({
    queryKey: [...SETTINGS_KEY, 'platforms'],
    queryFn: async () => (await bodyOf(api.GET('/v1/platforms'))).items,
  });
  const columns: readonly Column<Platform>[] = [
    { id: 'id', header: t.shared.platform, cell: ({ id }) => <strong>{id}</strong> },
    { id: 'keys', header: t.settings.liveKeys, isNumber: true, cell: ({ liveKeys }) => liveKeys },
    { id: 'accounts', header: t.settings.accounts, isNumber: true, cell: (one) => one.accounts },
  ];
  return (
    <LoadedTable
      label={t.settings.views.platforms}
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      none={t.settings.none.platforms}
    />
  );
};
