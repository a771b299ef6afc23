import { Box, Skeleton, Text, Title } from '@mantine/core';
import type { EntityType } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { compareStates } from '../entity/flat-state';
import { useT } from '../i18n/i18n';
import { ProblemAlert } from '../shared/problem-alert';
import { Time } from '../shared/time';
import { useStateAt } from './entity-queries';
import { StateRows } from './state-rows';
import { StateTravel, type StateTravelProps } from './state-travel';

interface StatePanelProps extends StateTravelProps {
  readonly type: EntityType;
  readonly id: string;
  /** The selected event; null: the current state. */
  readonly version: number | null;
  readonly currency: string | null;
}

/** The state after an event, and the values that the event changed. */
const useChanges = (type: EntityType, id: string, shown: number) => {
  const after = useStateAt(type, id, shown);
  const before = useStateAt(type, id, shown - 1);
  const isFirst = shown === 1;
  // The changes are shown only when the state before the event has been read too: without that
  // state, the event would seem to change nothing.
  const isRead = after.data !== undefined && (isFirst || before.data !== undefined);
  const error = after.error ?? before.error;
  return {
    at: after.data?.at,
    error,
    isReading: !isRead && error === null,
    values: !isRead
      ? []
      : compareStates(isFirst ? {} : before.data?.state, after.data.state)
          // Empty values and zeros are hidden unless the event changed them.
          .filter(({ value, change }) => (value !== null && value !== 0) || change === 'changed'),
    retry: (): void => {
      for (const one of [after, before]) if (one.error !== null) void one.refetch();
    },
  };
};

const Heading = ({ version, events: { length: last }, nameOf }: StatePanelProps) => {
  const t = useT();
  return (
    <>
      <Title order={2} size="h4" id="state">
        {t.entity.state}
      </Title>
      <Text size="sm" c="dimmed" role="status">
        {version === null ? t.entity.stateNow(last) : t.entity.stateThen(version, last)}
        {' · '}
        <span className={styles['name']}>{nameOf(version ?? last)}</span>
      </Text>
    </>
  );
};

/** The current state, or the state after a selected event with the changes that the event made. */
export const StatePanel = (props: StatePanelProps) => {
  const { type, id, events, version, currency, nameOf, onTravel } = props;
  const shown = version ?? events.length;
  const { at, error, isReading, values, retry } = useChanges(type, id, shown);
  return (
    <section className={`card ${styles['side']}`} aria-labelledby="state" aria-busy={isReading}>
      <Box p="md" className={styles['narrow']}>
        <Heading {...props} />
        <StateTravel shown={shown} events={events} nameOf={nameOf} onTravel={onTravel} />
        {at !== undefined && (
          <Text size="sm" c="dimmed" mb="xs">
            <Time at={at} />
          </Text>
        )}
        {error !== null && <ProblemAlert error={error} retry={retry} />}
        {isReading ? (
          <Skeleton height={240} />
        ) : (
          <StateRows type={type} values={values} currency={currency} />
        )}
      </Box>
    </section>
  );
};
