import { Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n';
import { type Column, DataTable } from '../list/data-table';
import { formatCount, formatSpan } from '../shared/format';
import { ProblemAlert } from '../shared/problem-alert';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';
import { lagTone } from './lag-tone';
import { type Queues, useQueues } from './queue-queries';

interface BlockProps<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly children?: ReactNode;
}

const Block = <Row,>({ title, columns, rows, keyOf }: BlockProps<Row>) => (
  <section>
    <Title order={2} size="h4" mb="xs">
      {title}
    </Title>
    <div className="card">
      <DataTable label={title} columns={columns} rows={rows} keyOf={keyOf} />
    </div>
  </section>
);

const Tables = ({ queues }: { readonly queues: Queues }) => {
  const { t, locale } = useI18n();
  const count = (value: number): string => formatCount(value, locale);
  const lag = (events: number, seconds: number) => (
    <StatusBadge
      tone={events === 0 ? 'ok' : lagTone(seconds)}
      label={events === 0 ? t.queues.upToDate : t.queues.behind(count(events), formatSpan(seconds))}
    />
  );
  return (
    <Stack gap="lg">
      <Block
        title={t.queues.readers}
        rows={queues.cursors}
        keyOf={({ name }) => name}
        columns={[
          { id: 'name', header: t.queues.reader, cell: ({ name }) => name },
          { id: 'lag', header: t.queues.lag, cell: ({ events, seconds }) => lag(events, seconds) },
          {
            id: 'moved',
            header: t.queues.moved,
            cell: ({ movedAt }) => <Age at={movedAt} isWall />,
          },
        ]}
      />
      <Block
        title={t.queues.open}
        keyOf={({ state }) => state}
        rows={[...queues.calls, { ...queues.webhooks, state: 'webhooks' }]}
        columns={[
          {
            id: 'what',
            header: t.queues.what,
            cell: ({ state }) => t.queues.openStates[state] ?? state,
          },
          { id: 'count', header: t.queues.count, isNumber: true, cell: (one) => count(one.count) },
          {
            id: 'oldest',
            header: t.queues.oldest,
            isNumber: true,
            cell: ({ oldestSeconds }) => formatSpan(oldestSeconds),
          },
        ]}
      />
      <Block
        title={t.queues.deadlines}
        rows={queues.deadlines}
        keyOf={({ kind }) => kind}
        columns={[
          { id: 'kind', header: t.queues.deadline, cell: ({ kind }) => kind },
          {
            id: 'overdue',
            header: t.queues.overdue,
            isNumber: true,
            cell: ({ overdue }) =>
              overdue === 0 ? '0' : <StatusBadge tone="bad" label={count(overdue)} />,
          },
          {
            id: 'waiting',
            header: t.queues.waiting,
            isNumber: true,
            cell: ({ waiting }) => count(waiting),
          },
          {
            id: 'next',
            header: t.queues.next,
            cell: ({ nextAt }) => nextAt !== null && <Age at={nextAt} />,
          },
        ]}
      />
    </Stack>
  );
};

/** How far each reader is behind, and what is to come. */
export const QueueState = () => {
  const { data, error, refetch } = useQueues();
  if (error !== null && data === undefined) return <ProblemAlert error={error} retry={refetch} />;
  return data === undefined ? <Skeleton height={240} /> : <Tables queues={data} />;
};
