import { Box, Stack } from '@mantine/core';
import { Link } from 'wouter';
import type { EntityType, TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { useTravelVersion } from '../entity/travel';
import { eventText } from '../i18n/event-text';
import { useT } from '../i18n/i18n';
import { SubjectNotes } from '../cases/subject-notes';
import { Registration } from '../merchants/registration';
import { MoneyStrip } from '../payments/money-strip';
import { PaymentObjects } from '../payments/payment-objects';
import { PayoutStrip } from '../payouts/payout-strip';
import { PayoutLines } from '../payouts/payout-lines';
import { sentWebhooksPath } from '../webhooks/sent-webhooks-path';
import { Facts } from './facts';
import { StatePanel } from './state-panel';
import { Timeline } from './timeline';
import { WaitingPanel } from './waiting-panel';

/**
 * The fields that the list of facts omits, because the page shows them above: in the title, or in
 * the amounts of a payout.
 */
const SHOWN_ABOVE = {
  payout: ['reference', 'amountMinor', 'feesMinor', 'feesVatMinor'],
  others: ['reference'],
} as const;

interface EntityDetailsProps {
  readonly type: EntityType;
  readonly id: string;
  readonly entries: readonly TimelineEntry[];
  /** The events of the entity itself, in the order of their versions. */
  readonly events: readonly TimelineEntry[];
  /** The events up to the time for which the page shows the entity. */
  readonly shown: readonly TimelineEntry[];
  readonly onTravel: (version: number | null) => void;
  /**
   * Whether `state` is still the previously shown state, because the selected state is being read.
   */
  readonly isStale: boolean;
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string | null;
}

/** The facts, pending work, timeline and states of an entity. */
export const EntityDetails = (props: EntityDetailsProps) => {
  const { type, id, entries, events, shown, onTravel, isStale, state, currency } = props;
  const t = useT();
  const version = useTravelVersion();
  const nameOf = (at: number): string => {
    const name = events[at - 1]?.name ?? '';
    return eventText(t, name) ?? name;
  };
  const shared = { type, id, version, currency, onTravel };
  const stale = { className: styles['fading'], 'data-stale': isStale || undefined };
  return (
    <>
      <Box {...stale}>
        {type === 'payment' && currency !== null ? (
          <MoneyStrip id={id} state={state} currency={currency} events={shown} />
        ) : (
          <Stack gap="md">
            {type === 'payout' && currency !== null && (
              <PayoutStrip state={state} currency={currency} />
            )}
            {type === 'webhook_endpoint' && (
              <Link className="link" href={sentWebhooksPath(id)}>
                {t.webhooks.ofEndpoint}
              </Link>
            )}
            {type === 'merchant' && <Registration id={id} state={state} events={shown} />}
            <Facts
              {...{ entries, state, currency }}
              without={SHOWN_ABOVE[type === 'payout' ? 'payout' : 'others']}
            />
          </Stack>
        )}
      </Box>
      {/* Only the present reconciliation is stored, so an earlier state shows no lines. */}
      {type === 'payout' && currency !== null && version === null && (
        <PayoutLines id={id} currency={currency} />
      )}
      <div className={styles['columns']}>
        <Stack gap="md">
          <Stack gap="md" {...stale}>
            <WaitingPanel type={type} entries={entries} state={state} currency={currency} />
            {type === 'payment' && currency !== null && (
              <PaymentObjects id={id} state={state} currency={currency} entries={entries} />
            )}
          </Stack>
          {version === null && <SubjectNotes id={id} />}
          <Timeline {...shared} entries={entries} />
        </Stack>
        <StatePanel {...shared} events={events} nameOf={nameOf} />
      </div>
    </>
  );
};
