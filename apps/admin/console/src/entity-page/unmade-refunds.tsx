import { Group, Text } from '@mantine/core';
import { ActionButtons } from '../actions/action-buttons';
import { actionsForFailedRefund } from '../actions/unmade-refund';
import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';

interface Refund {
  readonly requestId: string;
  readonly amountMinor: number;
  readonly createdAt: string;
}

/** The failed refunds in the state of a payment that are neither reissued nor abandoned. */
export const unmadeIn = (state: Readonly<Record<string, unknown>>): readonly Refund[] => {
  const { rejectedRefunds = [], refunds = [] } = state as {
    readonly rejectedRefunds?: readonly string[];
    readonly refunds?: readonly Refund[];
  };
  return refunds.filter(({ requestId }) => rejectedRefunds.includes(requestId));
};

interface UnmadeRefundsProps {
  readonly paymentId: string;
  readonly refunds: readonly Refund[];
  readonly currency: string | null;
}

/** Failed refunds with the actions to reissue or abandon them. */
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
          requests={actionsForFailedRefund(paymentId, requestId)}
        />
      </Group>
    );
  });
};
