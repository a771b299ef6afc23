import { Box, Breadcrumbs, Group, Skeleton, Stack, Title } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { ActionButtons } from '../actions/action-buttons';
import { wishesFor } from '../actions/entity-wishes';
import { ApiProblem } from '../api/client';
import {
  type EntityType,
  listPathOf,
  type TimelineEntry,
  typeOfPath,
} from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { statusWord, toneOf } from '../entity/status-tone';
import { useT } from '../i18n/i18n';
import { MoneyBack } from '../orders/money-back';
import { PayoutLines } from '../payouts/payout-lines';
import { CopyId } from '../shared/copy-id';
import { NotFound } from '../shared/not-found';
import { ProblemAlert } from '../shared/problem-alert';
import { StatusBadge } from '../shared/status-badge';
import { useTitle } from '../shared/use-title';
import { Captures, capturesIn, isCaptureRequestedIn } from './captures';
import { useStateAt, useTimeline } from './entity-queries';
import { Facts } from './facts';
import { StatePanel } from './state-panel';
import { Timeline } from './timeline';
import { unmadeIn } from './unmade-refunds';
import { WaitingPanel } from './waiting-panel';

interface EntityProps {
  readonly type: EntityType;
  readonly id: string;
}

const textIn = (state: Readonly<Record<string, unknown>> | undefined, key: string): string | null =>
  typeof state?.[key] === 'string' ? state[key] : null;

/** The currency of an entity is in its first event, whatever its state keeps. */
const currencyOf = (entries: readonly TimelineEntry[]): string | null =>
  entries.map(({ data }) => data['currency']).find((one) => typeof one === 'string') ?? null;

type MoneyBackState = Omit<ComponentProps<typeof MoneyBack>, 'currency'>;

const useVersion = (last: number): readonly [number | null, (version: number | null) => void] => {
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('version'));
  const version = Number.isInteger(asked) && asked >= 1 && asked < last ? asked : null;
  const travel = (to: number | null): void =>
    setParams(to === null ? {} : { version: String(to) }, { replace: true });
  return [version, travel];
};

/** The state now, or while that cannot be read the last that was. */
const useLastState = (
  type: EntityType,
  id: string,
  last: number,
): Readonly<Record<string, unknown>> | undefined => {
  const { data } = useStateAt(type, id, last);
  const [known, setKnown] = useState(data);
  if (data !== undefined && data !== known) setKnown(data);
  return (data ?? known)?.state;
};

const Entity = ({ type, id }: EntityProps) => {
  const t = useT();
  const timeline = useTimeline(type, id);
  const entries = timeline.data?.items ?? [];
  const own = entries.filter(
    ({ version, subjectType, subjectId }) =>
      version !== null && subjectType === type && subjectId === id,
  );
  const last = own.length;
  const state = useLastState(type, id, last);
  const [version, travel] = useVersion(last);
  const currency = currencyOf(entries);
  useTitle(`${t.entity.types[type]} ${id}`);
  if (timeline.error instanceof ApiProblem && timeline.error.status === 404) {
    return <NotFound title={t.entity.notFound} hint={t.entity.notFoundHint} />;
  }
  if (timeline.error !== null && timeline.data === undefined) {
    return <ProblemAlert error={timeline.error} retry={timeline.refetch} />;
  }
  const status = textIn(state, 'status');
  // Of an order alone.
  const moneyBack = state?.['moneyBack'] as MoneyBackState | undefined;
  return (
    <Stack gap="md">
      <Box>
        <Breadcrumbs>
          <Link className="link" href={listPathOf(type)}>
            {t.entity.lists[type]}
          </Link>
          <span>{t.entity.types[type]}</span>
        </Breadcrumbs>
        <Group gap="sm" mt={4}>
          <Title order={1} size="h3" miw={0}>
            <CopyId id={id} />
          </Title>
          {status !== null && (
            <StatusBadge tone={toneOf(type, status)} label={statusWord(t, type, status)} />
          )}
          {unmadeIn(state ?? {}).length > 0 && (
            <StatusBadge tone="bad" label={t.entity.refundNotMade} />
          )}
          {moneyBack !== undefined && currency !== null && (
            <MoneyBack {...moneyBack} currency={currency} />
          )}
          {status !== null && (
            <ActionButtons
              subject={id}
              wishes={wishesFor({
                type,
                id,
                status,
                isCaptureRequested: isCaptureRequestedIn(state ?? {}),
                currency,
              })}
            />
          )}
        </Group>
      </Box>
      {timeline.data === undefined ? (
        <Skeleton height={400} />
      ) : (
        <>
          <Facts entries={entries} state={state ?? {}} currency={currency} />
          {currency !== null && <Captures captures={capturesIn(state ?? {})} currency={currency} />}
          {type === 'payout' && currency !== null && <PayoutLines id={id} currency={currency} />}
          <div className={styles['columns']}>
            <Stack gap="md">
              <WaitingPanel entries={entries} id={id} state={state ?? {}} currency={currency} />
              <Timeline
                type={type}
                id={id}
                entries={entries}
                currency={currency}
                version={version}
                onTravel={travel}
              />
            </Stack>
            <StatePanel
              type={type}
              id={id}
              last={last}
              version={version}
              currency={currency}
              nameOf={(at) => own[at - 1]?.name ?? ''}
              onTravel={travel}
            />
          </div>
        </>
      )}
    </Stack>
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
