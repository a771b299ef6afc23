import { Box, Breadcrumbs, Group, Title } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import { ActionButtons } from '../actions/action-buttons';
import { actionsFor } from '../actions/entity-actions';
import { type EntityType, listPathOf } from '../entity/entity-types';
import { statusWord, toneOf } from '../entity/status-tone';
import { useT } from '../i18n/i18n';
import { RefundsAndChargebacks } from '../orders/refunds-and-chargebacks';
import { CopyId } from '../shared/copy-id';
import { StatusBadge } from '../shared/status-badge';
import { isCaptureRequestedIn } from './captures';
import { unmadeIn } from './unmade-refunds';

interface EntityHeaderProps {
  readonly type: EntityType;
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string | null;
}

type RefundsAndChargebacksState = Omit<ComponentProps<typeof RefundsAndChargebacks>, 'currency'>;

const Badges = ({ type, state, currency }: Omit<EntityHeaderProps, 'id'>) => {
  const t = useT();
  const { status } = state;
  // Only orders have refunded and charged-back amounts.
  const amounts = state['refundsAndChargebacks'] as RefundsAndChargebacksState | undefined;
  return (
    <>
      {typeof status === 'string' && (
        <StatusBadge tone={toneOf(type, status)} label={statusWord(t, type, status)} />
      )}
      {unmadeIn(state).length > 0 && <StatusBadge tone="bad" label={t.entity.refundNotMade} />}
      {amounts !== undefined && currency !== null && (
        <RefundsAndChargebacks {...amounts} currency={currency} />
      )}
    </>
  );
};

/** The id, the status and the actions of an entity. */
export const EntityHeader = ({ type, id, state, currency }: EntityHeaderProps) => {
  const t = useT();
  const { status } = state;
  const isCaptureRequested = isCaptureRequestedIn(state);
  return (
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
        <Badges type={type} state={state} currency={currency} />
        {typeof status === 'string' && (
          <ActionButtons
            subject={id}
            requests={actionsFor({ type, id, status, isCaptureRequested, currency })}
          />
        )}
      </Group>
    </Box>
  );
};
