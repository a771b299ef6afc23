import { Box, Breadcrumbs, Group, Text, Title } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import { ActionButtons } from '../actions/action-buttons';
import { actionsFor } from '../actions/entity-actions';
import { entityTitle } from '../entity/entity-title';
import { type EntityType, listPathOf, type TimelineEntry } from '../entity/entity-types';
import { statusWord, toneOf } from '../entity/status-tone';
import { useT } from '../i18n/i18n';
import { RefundsAndChargebacks } from '../orders/refunds-and-chargebacks';
import { CopyId } from '../shared/copy-id';
import { StatusBadge } from '../shared/status-badge';
import { PaymentHeader } from '../payments/payment-header';
import { isCaptureRequestedIn, rejectedRefundsIn } from '../payments/payment-state';

interface EntityHeaderProps {
  readonly type: EntityType;
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string | null;
  /** The events of the entity, oldest first. */
  readonly events: readonly TimelineEntry[];
}

type RefundsAndChargebacksState = Omit<ComponentProps<typeof RefundsAndChargebacks>, 'currency'>;

const Badges = ({ type, state, currency }: Omit<EntityHeaderProps, 'id' | 'events'>) => {
  const t = useT();
  const { status } = state;
  // Only orders have refunded and charged-back amounts.
  const amounts = state['refundsAndChargebacks'] as RefundsAndChargebacksState | undefined;
  return (
    <>
      {typeof status === 'string' && (
        <StatusBadge tone={toneOf(type, status)} label={statusWord(t, type, status)} />
      )}
      {rejectedRefundsIn(state).length > 0 && (
        <StatusBadge tone="bad" label={t.entity.refundNotMade} />
      )}
      {amounts !== undefined && currency !== null && (
        <RefundsAndChargebacks {...amounts} currency={currency} />
      )}
    </>
  );
};

/** The header of an entity's page: its name, id, status and actions. */
export const EntityHeader = ({ type, id, state, currency, events }: EntityHeaderProps) => {
  const t = useT();
  const { status } = state;
  const title = entityTitle({ type, id, state, events });
  const isCaptureRequested = isCaptureRequestedIn(state);
  const badges = <Badges type={type} state={state} currency={currency} />;
  const actions = typeof status === 'string' && (
    <ActionButtons
      subject={id}
      requests={actionsFor({ type, id, status, isCaptureRequested, currency })}
    />
  );
  return (
    <Box>
      <Breadcrumbs mb={4}>
        <Link className="link" href={listPathOf(type)}>
          {t.entity.lists[type]}
        </Link>
        <span>{t.entity.types[type]}</span>
      </Breadcrumbs>
      {type === 'payment' ? (
        <PaymentHeader {...{ id, state, currency, events, badges, actions }} />
      ) : (
        <>
          <Group gap="sm">
            <Title order={1} size="h3" miw={0}>
              {title === id ? <CopyId id={id} /> : title}
            </Title>
            {badges}
            {actions}
          </Group>
          {title !== id && (
            <Text component="div" size="sm" c="dimmed">
              <CopyId id={id} />
            </Text>
          )}
        </>
      )}
    </Box>
  );
};
