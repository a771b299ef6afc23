import { Stack } from '@mantine/core';
import type { EntityType, TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { eventText } from '../i18n/event-text';
import { useT } from '../i18n/i18n';
import { PayoutLines } from '../payouts/payout-lines';
import { Captures, capturesIn } from './captures';
import { Facts } from './facts';
import { StatePanel } from './state-panel';
import { Timeline } from './timeline';
import { useVersion } from './use-version';
import { WaitingPanel } from './waiting-panel';

interface EntityDetailsProps {
  readonly type: EntityType;
  readonly id: string;
  readonly entries: readonly TimelineEntry[];
  /** The events of the entity itself, in the order of their versions. */
  readonly events: readonly TimelineEntry[];
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string | null;
}

/** The facts, pending work, timeline and states of an entity. */
export const EntityDetails = ({
  type,
  id,
  entries,
  events,
  state,
  currency,
}: EntityDetailsProps) => {
  const t = useT();
  const last = events.length;
  const [version, onTravel] = useVersion(last);
  const nameOf = (at: number): string => {
    const name = events[at - 1]?.name ?? '';
    return eventText(t, name) ?? name;
  };
  const shared = { type, id, version, currency, onTravel };
  return (
    <>
      <Facts entries={entries} state={state} currency={currency} />
      {currency !== null && <Captures captures={capturesIn(state)} currency={currency} />}
      {type === 'payout' && currency !== null && <PayoutLines id={id} currency={currency} />}
      <div className={styles['columns']}>
        <Stack gap="md">
          <WaitingPanel entries={entries} id={id} state={state} currency={currency} />
          <Timeline {...shared} entries={entries} />
        </Stack>
        <StatePanel {...shared} last={last} nameOf={nameOf} />
      </div>
    </>
  );
};
