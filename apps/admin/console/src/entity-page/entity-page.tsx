import { Box, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';
import { ApiProblem } from '../api/client';
import { entityTitle } from '../entity/entity-title';
import { type EntityType, type TimelineEntry, typeOfPath } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { TravelVersion } from '../entity/travel';
import { useT } from '../i18n/i18n';
import { NotFound } from '../shared/not-found';
import { ProblemAlert } from '../shared/problem-alert';
import { useTitle } from '../shared/use-title';
import { EntityDetails } from './entity-details';
import { EntityHeader } from './entity-header';
import { useStateAt, useTimeline } from './entity-queries';
import { TravelBanner } from './travel-banner';
import { useVersion } from './use-version';

interface EntityProps {
  readonly type: EntityType;
  readonly id: string;
}

/**
 * The currency of an entity. It is taken from the first event, because the state may lack a
 * currency.
 */
const currencyOf = (entries: readonly TimelineEntry[]): string | null =>
  entries.map(({ data }) => data['currency']).find((one) => typeof one === 'string') ?? null;

/**
 * The state after this many events. Until that state has been read, the previously read state is
 * returned, marked as stale.
 */
const useShownState = ({ type, id }: EntityProps, shown: number) => {
  const { data } = useStateAt(type, id, shown);
  const [lastRead, setLastRead] = useState(data);
  if (data !== undefined && data !== lastRead) setLastRead(data);
  const state: Readonly<Record<string, unknown>> = (data ?? lastRead)?.state ?? {};
  return { state, isStale: data === undefined && lastRead !== undefined };
};

const Entity = ({ type, id }: EntityProps) => {
  const t = useT();
  const timeline = useTimeline(type, id);
  const entries = timeline.data?.items ?? [];
  // The order of the versions decides, because events with equal or estimated times may be out of
  // order.
  const events = entries
    .filter(
      ({ version, subjectType, subjectId }) =>
        version !== null && subjectType === type && subjectId === id,
    )
    .toSorted((a, b) => (a.version ?? 0) - (b.version ?? 0));
  const [version, onTravel] = useVersion(events.length);
  const { state, isStale } = useShownState({ type, id }, version ?? events.length);
  const entity = { type, id, state, currency: currencyOf(entries) };
  const shown = events.slice(0, version ?? events.length);
  useTitle(`${t.entity.types[type]} ${entityTitle({ type, id, state, events })}`);
  if (timeline.error instanceof ApiProblem && timeline.error.status === 404) {
    return <NotFound title={t.entity.notFound} hint={t.entity.notFoundHint} />;
  }
  if (timeline.error !== null && timeline.data === undefined) {
    return <ProblemAlert error={timeline.error} retry={timeline.refetch} />;
  }
  return (
    <TravelVersion value={version}>
      <Stack gap="md">
        {version !== null && <TravelBanner {...{ events, version, onTravel }} />}
        <Box className={styles['fading']} data-stale={isStale || undefined}>
          <EntityHeader {...entity} events={shown} />
        </Box>
        {timeline.data === undefined ? (
          <Skeleton height={400} />
        ) : (
          <EntityDetails {...entity} {...{ entries, events, shown, onTravel, isStale }} />
        )}
      </Stack>
    </TravelVersion>
  );
};

/** The page of one entity: `/orders/…`, `/payments/…`. */
export const EntityPage = () => {
  const t = useT();
  const { kind, id } = useParams<{ kind: string; id: string }>();
  const type = typeOfPath(kind);
  if (type === null) return <NotFound title={t.shell.notFound} hint={t.shell.notFoundHint} />;
  return <Entity key={`${type} ${id}`} type={type} id={id} />;
};
