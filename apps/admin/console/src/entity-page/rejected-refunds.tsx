import { Group, Text } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import type { Refund } from '../payments/payment-state';
import { formatAmount } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';

interface RejectedRefundsProps {
  readonly refunds: readonly Refund[];
  readonly currency: string | null;
}

/** Failed refunds; the cards of the refunds have the actions to reissue or abandon them. */
export const RejectedRefunds = ({ refunds, currency }: RejectedRefundsProps) => {
  const { t, locale } = useI18n();
  if (currency === null) return null;
  return refunds.map(({ requestId, amountMinor, createdAt }) => (
    <Group key={requestId} gap="sm">
      <StatusBadge tone="bad" label={t.entity.refundNotMade} />
      <Text fw={600}>{t.entity.payerNotRefunded(formatAmount(amountMinor, currency, locale))}</Text>
      <Text size="sm" c="dimmed">
        <Age at={createdAt} />
      </Text>
    </Group>
  ));
};
