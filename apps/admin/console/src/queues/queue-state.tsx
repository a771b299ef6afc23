import { Skeleton, Stack, Title } from '@mantine/core';
import { Link } from 'wouter';
import { useI18n, useT } from '../i18n/i18n';
import { type Column, DataTable } from '../list/data-table';
import { formatCount, formatSpan } from '../shared/format';
import { ProblemAlert } from '../shared/problem-alert';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';
import { consumerText } from './consumer-text';
import { lagTone } from './lag-tone';
import { type Queues, useQueues } from './queue-queries';

interface BlockProps<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
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

const useCount = (): ((value: number) => string) => {
  const { locale } = useI18n();
  return (value) => formatCount(value, locale);
};

interface QueuesProps {
  readonly queues: Queues;
}

const Consumers = ({ queues: { cursors } }: QueuesProps) => {
  const t = useT();
  const count = useCount();
  const lag = (events: number, seconds: number) =>
    events === 0 ? (
      <StatusBadge tone="ok" label={t.queues.upToDate} />
    ) : (
      <StatusBadge
        tone={lagTone(seconds)}
        label={t.queues.behind(count(events), formatSpan(seconds, t.shared.dayUnit))}
      />
    );
  return (
    <Block
      title={t.queues.readers}
      rows={cursors}
      keyOf={({ name }) => name}
      columns={[
        { id: 'name', header: t.queues.reader, cell: ({ name }) => consumerText(t, name) },
        { id: 'lag', header: t.queues.lag, cell: ({ events, seconds }) => lag(events, seconds) },
        {
          id: 'moved',
          header: t.queues.moved,
          cell: ({ movedAt }) => <Age at={movedAt} isWall />,
        },
      ]}
    />
  );
};

/** The cases of failed provider requests: those of a refund are cases of their own kind. */
const FAILED_REQUESTS = '/cases?kind=failed_request,unpaid_refund';

const WorkName = ({ state }: { readonly state: string }) => {
  const t = useT();
  const name = t.queues.openStates[state] ?? state;
  if (state !== 'stuck') return name;
  return (
    <Link href={FAILED_REQUESTS} className="link">
      {name}
    </Link>
  );
};

const OpenWork = ({ queues: { calls, webhooks } }: QueuesProps) => {
  const t = useT();
  const count = useCount();
  return (
    <Block
      title={t.queues.open}
      keyOf={({ state }) => state}
      rows={[...calls, { ...webhooks, state: 'webhooks' }]}
      columns={[
        {
          id: 'what',
          header: t.queues.what,
          cell: ({ state }) => <WorkName state={state} />,
        },
        { id: 'count', header: t.queues.count, isNumber: true, cell: (one) => count(one.count) },
        {
          id: 'oldest',
          header: t.queues.oldest,
          isNumber: true,
          cell: ({ oldestSeconds }) => formatSpan(oldestSeconds, t.shared.dayUnit),
        },
      ]}
    />
  );
};

const ScheduledJobs = ({ queues: { deadlines } }: QueuesProps) => {
  const t = useT();
  const count = useCount();
  return (
    <Block
      title={t.queues.deadlines}
      rows={deadlines}
      keyOf={({ kind }) => kind}
      columns={[
        { id: 'kind', header: t.queues.deadline, cell: ({ kind }) => t.deadlines[kind] ?? kind },
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
  );
};

/** The lag of each log consumer, the work in progress and the scheduled jobs. */
export const QueueState = () => {
  const { data, error, refetch } = useQueues();
  if (error !== null && data === undefined) return <ProblemAlert error={error} retry={refetch} />;
  if (data === undefined) return <Skeleton height={240} />;
  return (
    <Stack gap="lg">
      <Consumers queues={data} />
      <OpenWork queues={data} />
      <ScheduledJobs queues={data} />
    </Stack>
  );
};
