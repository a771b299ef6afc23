import { Stack } from '@mantine/core';
import type { EntityType, TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { eventText } from '../i18n/event-text';
import { useT } from '../i18n/i18n';
import { MoneyStrip } from '../payments/money-strip';
import { PaymentObjects } from '../payments/payment-objects';
import { PayoutLines } from '../payouts/payout-lines';
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
      {type === 'payment' && currency !== null ? (
        <MoneyStrip id={id} state={state} currency={currency} events={events} />
      ) : (
        <Facts entries={entries} state={state} currency={currency} />
      )}
      {type === 'payout' && currency !== null && <PayoutLines id={id} currency={currency} />}
      <div className={styles['columns']}>
        <Stack gap="md">
          <WaitingPanel type={type} entries={entries} state={state} currency={currency} />
          {type === 'payment' && currency !== null && (
            <PaymentObjects id={id} state={state} currency={currency} entries={entries} />
          )}
          <Timeline {...shared} entries={entries} />
        </Stack>
        <StatePanel {...shared} last={last} nameOf={nameOf} />
      </div>
    </>
  );
};
