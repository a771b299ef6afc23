import { ActionIcon, Box, Button, Group, Skeleton, Slider, Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import type { EntityType } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { type ChangedValue, compareStates } from '../entity/flat-state';
import { Value } from '../entity/value';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { ProblemAlert } from '../shared/problem-alert';
import { Time } from '../shared/time';
import { useStateAt } from './entity-queries';

interface StatePanelProps {
  readonly type: EntityType;
  readonly id: string;
  /** So many events there are. */
  readonly last: number;
  readonly version: number | null;
  readonly currency: string | null;
  /** The event's name, by its version. */
  readonly nameOf: (version: number) => string;
  /** Null leads back to now. */
  readonly onTravel: (version: number | null) => void;
}

/** A line of it ends at a point rather than within a word. */
const Path = ({ path }: { readonly path: string }) =>
  path.split(/(?<=\.)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));

const StateRow = ({
  one,
  currency,
}: {
  readonly one: ChangedValue;
  readonly currency: string | null;
}) => {
  const t = useT();
  const { path, value, change, before } = one;
  return (
    <tr className={styles[change]}>
      <th scope="row" lang="en">
        <Path path={path} />
      </th>
      <td>
        <Value name={path} value={value} currency={currency} />
        {change === 'changed' && before !== undefined && (
          <span className={styles['was']}>
            {t.entity.was} <Value name={path} value={before} currency={currency} />
          </span>
        )}
      </td>
    </tr>
  );
};

/** The state now or at any event, and what that event changed of it. */
export const StatePanel = ({
  type,
  id,
  last,
  version,
  currency,
  nameOf,
  onTravel,
}: StatePanelProps) => {
  const t = useT();
  const shown = version ?? last;
  const after = useStateAt(type, id, shown);
  const before = useStateAt(type, id, shown - 1);
  const error = after.error ?? before.error;
  const readAgain = (): void => {
    for (const one of [after, before]) if (one.error !== null) void one.refetch();
  };
  // Without the one before it would seem that the event changed nothing.
  const isKnown = after.data !== undefined && (shown === 1 || before.data !== undefined);
  const isReading = !isKnown && error === null;
  const values = !isKnown
    ? []
    : compareStates(shown === 1 ? {} : before.data?.state, after.data.state)
        // What is not there, and was not, says nothing; nor does a nought.
        .filter(({ value, change }) => (value !== null && value !== 0) || change === 'changed');
  const travel = (to: number): void => onTravel(to >= last ? null : Math.max(1, to));
  return (
    <section className={`card ${styles['side']}`} aria-labelledby="state" aria-busy={isReading}>
      <Box p="md" className={styles['narrow']}>
        <Group justify="space-between">
          <Title order={2} size="h4" id="state">
            {t.entity.state}
          </Title>
          {version !== null && (
            <Button size="compact-sm" variant="light" c="inherit" onClick={() => onTravel(null)}>
              {t.entity.backToNow}
            </Button>
          )}
        </Group>
        <Text size="sm" c="dimmed" role="status">
          {version === null ? t.entity.stateNow(last) : t.entity.stateThen(version, last)}
          {' · '}
          <span className={styles['name']}>{nameOf(shown)}</span>
        </Text>
        <Group gap="xs" wrap="nowrap" mt="xs" mb="lg">
          <ActionIcon
            variant="default"
            aria-label={t.entity.earlier}
            disabled={shown <= 1}
            onClick={() => travel(shown - 1)}
          >
            <Icon name="chevronLeft" />
          </ActionIcon>
          <Slider
            flex={1}
            min={1}
            max={Math.max(last, 2)}
            step={1}
            value={shown}
            onChange={travel}
            label={(at) => nameOf(at)}
            thumbLabel={t.entity.travel}
            disabled={last <= 1}
          />
          <ActionIcon
            variant="default"
            aria-label={t.entity.later}
            disabled={shown >= last}
            onClick={() => travel(shown + 1)}
          >
            <Icon name="chevronRight" />
          </ActionIcon>
        </Group>
        {after.data !== undefined && (
          <Text size="sm" c="dimmed" mb="xs">
            <Time at={after.data.at} />
          </Text>
        )}
        {error !== null && <ProblemAlert error={error} retry={readAgain} />}
        {isReading ? (
          <Skeleton height={240} />
        ) : (
          <table className={styles['state']} aria-labelledby="state">
            <tbody>
              {values.map((one) => (
                <StateRow key={one.path} one={one} currency={currency} />
              ))}
            </tbody>
          </table>
        )}
      </Box>
    </section>
  );
};
