import { Alert, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client';
import { listInterval } from '../api/refresh';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import { type Column, DataTable } from '../list/data-table';
import { CloseException, type Differing } from '../reconciliation/close-exception';
import { Sides } from '../reconciliation/sides';
import { Amount } from '../shared/amount';
import { MoreButton } from '../shared/more-button';
import { ProblemAlert } from '../shared/problem-alert';
import { StatusBadge } from '../shared/status-badge';

type Line = Schemas['PayoutLine'];
type Exception = Schemas['LineException'];

const useLines = (id: string, differing: boolean) => {
  const pages = useInfiniteQuery({
    queryKey: ['list', 'payout-lines', id, differing],
    queryFn: ({ pageParam, signal }) =>
      bodyOf(
        api.GET('/v1/payouts/{id}/lines', {
          params: {
            path: { id },
            query: { differing, ...(pageParam === '' ? {} : { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before) => before,
    refetchInterval: listInterval,
  });
  return {
    ...pages,
    lines: pages.data?.pages.flatMap(({ items }) => items),
    ofFigures: pages.data?.pages[0]?.ofFigures ?? [],
  };
};

interface DifferencesProps {
  readonly exceptions: readonly Exception[];
  readonly of: Differing;
  readonly t: Dictionary;
}

/** The ledger's and the provider's value of each break, and the buttons to close the break or accept its line. */
const Differences = ({ exceptions, of, t }: DifferencesProps) => (
  <Stack gap={6}>
    {exceptions.map(({ id, kind, expected, observed, closedBy }) => (
      <div key={id}>
        <StatusBadge
          tone={closedBy === null ? 'bad' : 'calm'}
          label={t.reconciliation.kinds[kind] ?? kind}
        />{' '}
        <Sides kind={kind} currency={of.currency} expected={expected} observed={observed} />{' '}
        <CloseException {...of} id={id} kind={kind} closedBy={closedBy} />
      </div>
    ))}
  </Stack>
);

const MatchedTo = ({ line: { entry }, t }: { readonly line: Line; readonly t: Dictionary }) => {
  if (entry === null) return <span>{t.payoutLines.notInLedger}</span>;
  const { paymentId, amountMinor, currency } = entry;
  return (
    <div>
      {paymentId === null ? (
        <span>{t.payoutLines.accepted}</span>
      ) : (
        <EntityLink type="payment" id={paymentId} />
      )}{' '}
      <Amount amountMinor={amountMinor} currency={currency} />
    </div>
  );
};

const columnsOf = (t: Dictionary, payoutId: string): readonly Column<Line>[] => [
  {
    id: 'line',
    header: t.payoutLines.line,
    cell: ({ kind, objectId }) => (
      <div>
        {t.reconciliation.lines[kind]}{' '}
        <span className="mono" title={objectId}>
          {objectId}
        </span>
      </div>
    ),
  },
  {
    id: 'amount',
    header: t.shared.amount,
    isNumber: true,
    cell: (line) => <Amount {...line} />,
  },
  {
    id: 'fee',
    header: t.payoutLines.fee,
    isNumber: true,
    cell: ({ feeMinor, currency }) =>
      feeMinor !== null && <Amount amountMinor={feeMinor} currency={currency} />,
  },
  {
    id: 'entry',
    header: t.payoutLines.matchedTo,
    cell: (line) => <MatchedTo line={line} t={t} />,
  },
  {
    id: 'exceptions',
    header: t.payoutLines.exceptions,
    cell: ({ exceptions, kind, ...line }) =>
      exceptions.length === 0 ? (
        <StatusBadge tone="ok" label={t.payoutLines.agrees} />
      ) : (
        <Differences exceptions={exceptions} of={{ ...line, lineKind: kind, payoutId }} t={t} />
      ),
  },
];

interface PayoutLinesProps {
  readonly id: string;
  /** The currency of the payout. */
  readonly currency: string;
}

/** The lines of a payout with their ledger entries and breaks. */
export const PayoutLines = ({ id, currency }: PayoutLinesProps) => {
  const t = useT();
  const [differing, setDiffering] = useState(false);
  const { lines, ofFigures, error, refetch, hasNextPage, ...pages } = useLines(id, differing);
  return (
    <section className="card" aria-labelledby="lines">
      <Group justify="space-between" p="md">
        <Title order={2} size="h4" id="lines">
          {t.payoutLines.title}
        </Title>
        <Switch
          size="xs"
          label={t.payoutLines.differing}
          checked={differing}
          onChange={(event) => setDiffering(event.target.checked)}
        />
      </Group>
      {error !== null && <ProblemAlert error={error} retry={refetch} />}
      {ofFigures.length > 0 && (
        <Alert
          variant="outline"
          color="red"
          c="inherit"
          mx="md"
          mb="md"
          title={t.payoutLines.ofFigures}
        >
          <Differences
            exceptions={ofFigures}
            t={t}
            of={{ lineKind: 'payout', objectId: id, payoutId: id, currency, amountMinor: null }}
          />
        </Alert>
      )}
      {lines === undefined && error === null && <Skeleton height={120} />}
      {lines?.length === 0 && (
        <Text c="dimmed" px="md" pb="md">
          {differing ? t.payoutLines.noneDiffers : t.payoutLines.none}
        </Text>
      )}
      {lines !== undefined && lines.length > 0 && (
        <DataTable
          label={t.payoutLines.title}
          columns={columnsOf(t, id)}
          rows={lines}
          keyOf={({ kind, objectId }) => `${kind} ${objectId}`}
        />
      )}
      {hasNextPage && (
        <Group justify="flex-end" p="md">
          <MoreButton pages={pages} />
        </Group>
      )}
    </section>
  );
};
