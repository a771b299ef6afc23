import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { EntityLink } from '../entity/entity-link';
import type { TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { useT } from '../i18n/i18n';
import { Amount } from '../shared/amount';
import { CopyId } from '../shared/copy-id';
import { Time } from '../shared/time';
import { bankReason } from './bank-reason';
import { Explanation } from './explanation';
import { failureText } from './failure-text';
import { MethodLine } from './method-line';
import { attemptsIn, paymentStateOf } from './payment-state';
import own from './payment.module.css';
import { usePaymentSummary } from './use-payment-summary';

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

interface PaymentHeaderProps {
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string | null;
  /** The events of the payment, oldest first. */
  readonly events: readonly TimelineEntry[];
  readonly badges: ReactNode;
  readonly actions: ReactNode;
}

const Facts = ({ id, state, events }: Pick<PaymentHeaderProps, 'id' | 'state' | 'events'>) => {
  const t = useT();
  const { terms } = paymentStateOf(state);
  const { data: summary } = usePaymentSummary(id, events.length);
  const at = events[0]?.at;
  const merchantId = summary?.merchantId ?? terms?.merchantId;
  return (
    <dl className={styles['facts']}>
      {merchantId !== undefined && (
        <Fact label={t.payment.merchant}>
          {typeof summary?.merchantName === 'string' && <span>{summary.merchantName} </span>}
          <EntityLink id={merchantId} />
        </Fact>
      )}
      {summary !== undefined && <Fact label={t.shared.reference}>{summary.reference}</Fact>}
      {terms !== undefined && (
        <Fact label={t.payment.order}>
          <EntityLink id={terms.orderId} />
        </Fact>
      )}
      <Fact label={t.entity.types.payment}>
        <CopyId id={id} />
      </Fact>
      {at !== undefined && (
        <Fact label={t.payment.created}>
          <Time at={at} />
        </Fact>
      )}
    </dl>
  );
};

/** The header of a payment's page: amount, status, method, merchant, reference and declines. */
export const PaymentHeader = (props: PaymentHeaderProps) => {
  const { id, state, currency, events, badges, actions } = props;
  const t = useT();
  const payment = paymentStateOf(state);
  const attempts = attemptsIn(events);
  const failure = failureText(t, payment, attempts);
  const { isAccepted, declineCodes } = attempts;
  const last = declineCodes.at(-1);
  return (
    <Box className={`card ${own['header']}`}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="sm" align="center">
          <Title order={1} className={own['amount']}>
            {payment.terms === undefined || currency === null ? (
              <CopyId id={id} />
            ) : (
              <Amount amountMinor={payment.terms.amountMinor} currency={currency} />
            )}
          </Title>
          {badges}
        </Group>
        {actions}
      </Group>
      <MethodLine attempts={attempts} methods={payment.terms?.methods ?? []} />
      {failure !== null && <p className={own['failure']}>{failure}</p>}
      {isAccepted && last !== undefined && (
        <p className={own['dimmed']}>
          {t.payment.earlierDeclines(declineCodes.length, bankReason(t, last))}
        </p>
      )}
      <Facts id={id} state={state} events={events} />
      {currency !== null && (
        <Explanation id={id} state={state} currency={currency} events={events} />
      )}
    </Box>
  );
};
