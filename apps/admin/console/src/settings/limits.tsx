import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Action } from '../actions/action';
import { PendingDialog } from '../actions/pending-dialog';
import { api, bodyOf, type Schemas } from '../api/client';
import { useI18n } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { useMay } from '../session/session-context';
import { formatCount } from '../shared/format';
import { LimitDialog } from './limit-dialog';
import { SETTINGS_KEY } from './settings-key';

type Limit = Schemas['LimitItem'];

/** The daily limits; a change needs two admins. */
export const Limits = () => {
  const { t, locale } = useI18n();
  const mayChange = useMay('admin');
  const [isChanging, setChanging] = useState(false);
  const [asked, setAsked] = useState<Action | null>(null);
  const query = useQuery({
    queryKey: [...SETTINGS_KEY, 'limits'],
    queryFn: async () => (await bodyOf(api.GET('/v1/limits'))).items,
  });
  const columns: readonly Column<Limit>[] = [
    { id: 'holder', header: t.settings.holder, cell: ({ holder }) => t.settings.holders[holder] },
    {
      id: 'id',
      header: t.settings.holderId,
      cell: ({ holderId }) =>
        holderId === '*' ? t.settings.everyHolder : <span className="mono">{holderId}</span>,
    },
    {
      id: 'operation',
      header: t.settings.operation,
      cell: ({ operation }) => t.settings.operations[operation],
    },
    { id: 'unit', header: t.settings.unit, cell: ({ unit }) => t.settings.units[unit] },
    {
      id: 'daily',
      header: t.settings.daily,
      isNumber: true,
      cell: ({ daily }) => formatCount(daily, locale),
    },
  ];
  return (
    <>
      {mayChange && (
        <Group justify="flex-end" mb="sm">
          <Button onClick={() => setChanging(true)}>{t.settings.newLimit}</Button>
        </Group>
      )}
      <LoadedTable
        label={t.settings.views.limits}
        query={query}
        columns={columns}
        keyOf={({ holder, holderId, operation, unit }) =>
          [holder, holderId, operation, unit].join(' ')
        }
        none={t.settings.none.limits}
      />
      {isChanging && <LimitDialog onClose={() => setChanging(false)} onAsked={setAsked} />}
      {asked !== null && <PendingDialog action={asked} onClose={() => setAsked(null)} />}
    </>
  );
};
