import { Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ActionButtons } from '../actions/action-buttons';
import { api, bodyOf, type Schemas } from '../api/client';
import { useI18n } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { formatCount } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';

type Rebuild = Schemas['RebuildAnswer'];

interface Row {
  readonly name: string;
  readonly latest: Rebuild | null;
}

/** The refetch interval during a rebuild, to show its progress. */
const CLOSE_MS = 1_000;
const CALM_MS = 15_000;

const useProjections = () =>
  useQuery({
    queryKey: ['queues', 'projections'],
    queryFn: async () => {
      const { names, rebuilds } = await bodyOf(api.GET('/v1/projections'));
      return names.map((name): Row => ({
        name,
        latest: rebuilds.find(({ projection }) => projection === name) ?? null,
      }));
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ latest }) => latest !== null && latest.endedAt === null)
        ? CLOSE_MS
        : CALM_MS,
  });

const Latest = ({ latest }: { readonly latest: Rebuild | null }) => {
  const { t, locale } = useI18n();
  if (latest === null)
    return (
      <Text size="sm" c="dimmed">
        {t.queues.neverRebuilt}
      </Text>
    );
  const { startedAt, endedAt, failure, events, ofEvents, projection } = latest;
  if (failure !== null) {
    return (
      <span>
        <StatusBadge tone="bad" label={t.queues.failed} /> <span lang="en">{failure}</span>
      </span>
    );
  }
  if (endedAt !== null) {
    return (
      <span>
        <StatusBadge tone="ok" label={t.queues.rebuilt} /> <Age at={endedAt} isWall />
      </span>
    );
  }
  if (startedAt === null) return <StatusBadge tone="wait" label={t.queues.toRebuild} />;
  const percent = ofEvents === 0 ? 0 : Math.min(100, (events / ofEvents) * 100);
  return (
    <div>
      <Progress
        value={percent}
        aria-label={`${t.queues.rebuilding} ${projection}`}
        mb={4}
        miw={180}
      />
      <Text size="sm">
        {t.queues.progress(formatCount(events, locale), formatCount(ofEvents, locale))}
      </Text>
    </div>
  );
};

/** The read models, which can be rebuilt from the event log. */
export const Projections = () => {
  const { t } = useI18n();
  const query = useProjections();
  const columns: readonly Column<Row>[] = [
    {
      id: 'name',
      header: t.queues.projection,
      cell: ({ name }) => (
        <span>
          {t.readModels[name] ?? name}{' '}
          <Text span c="dimmed" className="mono whole">
            {name}
          </Text>
        </span>
      ),
    },
    {
      id: 'latest',
      header: t.queues.lastRebuild,
      cell: ({ latest }) => <Latest latest={latest} />,
    },
    {
      id: 'acts',
      header: t.actions.column,
      cell: ({ name }) => (
        <ActionButtons
          isCompact
          subject={name}
          requests={[{ kind: 'rebuild_projection', target: { subjectId: name } }]}
        />
      ),
    },
  ];
  return (
    <LoadedTable
      label={t.queues.views.projections}
      query={query}
      columns={columns}
      keyOf={({ name }) => name}
      none={t.queues.projectionsNone}
    />
  );
};
