import { useState } from 'react';
import { Alert, Skeleton, Text } from '@mantine/core';
import { api, bodyOf } from '../api/client';
import type { paths } from '../api/schema';
import type { Dictionary } from '../i18n/en';
import { useI18n } from '../i18n/i18n';
import { DataTable } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { ListPage } from '../list/list-page';
import { choicesOf } from '../list/status-choices';
import type { PageQuery } from '../list/use-pages';
import { modeField } from '../list/usual-fields';
import { useSession } from '../session/session-context';
import { useActorName } from '../users/actor-name';
import { type Case, useCasesOf } from './case';
import { CaseBulk } from './case-bulk';
import { caseColumns } from './case-columns';
import { CaseTotals } from './case-totals';
import { DecideHost } from './decide-host';

type Query = NonNullable<paths['/v1/cases']['get']['parameters']['query']>;
type Filter = 'kind' | 'mode' | 'owner' | 'acts' | 'snoozed' | 'sort';

/**
 * Reads incidents. `mine` and `none` are choices of the owner filter, but two parameters of the
 * API.
 */
const readFor =
  (userId: string) =>
  ({ owner, snoozed, ...query }: PageQuery, signal: AbortSignal) =>
    bodyOf(
      api.GET('/v1/cases', {
        params: {
          query: {
            ...query,
            ...(owner === 'mine' && { ownerId: userId }),
            ...(owner === 'none' && { unowned: true }),
            snoozed: snoozed === 'true',
            grouped: true,
          } as Query,
        },
        signal,
      }),
    );

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  {
    name: 'kind',
    label: t.cases.kind,
    kind: 'several',
    choices: Object.entries(t.cases.kinds).map(([value, { one: label }]) => ({ value, label })),
  },
  modeField(t),
  { name: 'owner', label: t.cases.owner, kind: 'choice', choices: choicesOf(t.cases.owners) },
  { name: 'acts', label: t.cases.actsNext, kind: 'choice', choices: choicesOf(t.cases.acts) },
  {
    name: 'snoozed',
    label: t.cases.snoozed,
    kind: 'choice',
    choices: choicesOf(t.cases.snoozes),
    usually: t.cases.notSnoozed,
  },
];

/** The cases of an expanded incident. */
const IncidentCases = ({ row }: { readonly row: Case }) => {
  const { t, locale } = useI18n();
  const nameOf = useActorName();
  const { data } = useCasesOf(row.incident);
  if (data === undefined) return <Skeleton height={80} />;
  return (
    <>
      <DataTable
        label={t.cases.ofIncident}
        columns={caseColumns({ t, locale, nameOf })}
        rows={data}
        keyOf={({ id }) => id}
      />
      {row.cases > data.length && (
        <Text size="sm" c="dimmed" mt="xs">
          {t.cases.more(row.cases - data.length)}
        </Text>
      )}
    </>
  );
};

const scrollTo = (element: HTMLElement | null): void => {
  element?.scrollIntoView({ block: 'nearest' });
};

interface StaleIncidentsProps {
  readonly count: number;
  readonly onClose: () => void;
}

/**
 * Says that a change left this number of selected incidents as they are. It is not shown beside the
 * buttons, because they disappear with the selected rows.
 */
const StaleIncidents = ({ count, onClose }: StaleIncidentsProps) => {
  const { t } = useI18n();
  return (
    <Alert
      ref={scrollTo}
      variant="outline"
      color="red"
      c="inherit"
      mb="sm"
      withCloseButton
      onClose={onClose}
      closeButtonLabel={t.shared.close}
    >
      {t.cases.staleIncidents(count)}
    </Alert>
  );
};

/** The page of open cases, grouped by incident. */
export const CasesPage = () => {
  const { t, locale } = useI18n();
  const { userId } = useSession();
  const nameOf = useActorName();
  const [incident, set] = useState<string | null>(null);
  const [stale, setStale] = useState(0);
  return (
    <DecideHost>
      <ListPage
        name="cases"
        title={t.cases.title}
        lead={t.cases.lead}
        none={t.cases.none}
        fields={fieldsOf(t)}
        columns={caseColumns({ t, locale, nameOf, expanded: { incident, set } })}
        keyOf={({ incident: key }) => key}
        read={readFor(userId)}
        csvPath={null}
        actionsOf={(rows, clear) => <CaseBulk rows={rows} onDone={clear} onStale={setStale} />}
        above={stale > 0 && <StaleIncidents count={stale} onClose={() => setStale(0)} />}
        summary={<CaseTotals />}
        belowOf={(row) => (row.incident === incident ? <IncidentCases row={row} /> : null)}
      />
    </DecideHost>
  );
};
