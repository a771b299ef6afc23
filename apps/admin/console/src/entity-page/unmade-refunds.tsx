import { Group, Text } from '@mantine/core';
import { ActionButtons } from '../actions/action-buttons';
import { wishesForUnmade } from '../actions/unmade-refund';
import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';

interface Refund {
  readonly requestId: string;
  readonly amountMinor: number;
  readonly createdAt: string;
}

/** Of the state of a payment: the refunds that were not made, and wait for somebody. */
export const unmadeIn = (state: Readonly<Record<string, unknown>>): readonly Refund[] => {
  const { unmadeRefunds = [], refunds = [] } = state as {
    readonly unmadeRefunds?: readonly string[];
    readonly refunds?: readonly Refund[];
  };
  return refunds.filter(({ requestId }) => unmadeRefunds.includes(requestId));
};

interface UnmadeRefundsProps {
  readonly paymentId: string;
  readonly refunds: readonly Refund[];
  readonly currency: string | null;
}

/** The payer lacks this money: it is issued again, or given up. */
export const UnmadeRefunds = ({ paymentId, refunds, currency }: UnmadeRefundsProps) => {
  const { t, locale } = useI18n();
  if (currency === null) return null;
  return refunds.map(({ requestId, amountMinor, createdAt }) => {
    const amount = formatAmount(amountMinor, currency, locale);
    return (
      <Group key={requestId} gap="sm">
        <StatusBadge tone="bad" label={t.entity.refundNotMade} />
        <Text fw={600}>{t.entity.payerNotRefunded(amount)}</Text>
        <Text size="sm" c="dimmed">
          {t.entity.requested} <Age at={createdAt} />
        </Text>
        <ActionButtons
          isCompact
          subject={`${amount}, ${paymentId}`}
          wishes={wishesForUnmade(paymentId, requestId)}
        />
      </Group>
    );
  });
};
