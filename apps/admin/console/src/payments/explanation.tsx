import { Button, CopyButton, Group, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { TimelineEntry } from '../entity/entity-types';
import { statusWord } from '../entity/status-tone';
import { useI18n } from '../i18n/i18n';
import { formatAmount, formatMoment } from '../shared/format';
import { Icon } from '../shared/icons';
import { failureText } from './failure-text';
import { countryText, methodText } from './method-text';
import { amountsOf, attemptsIn, paymentStateOf } from './payment-state';
import styles from './payment.module.css';
import { pendingOf } from './pending-text';
import { usePaymentSummary } from './use-payment-summary';

interface ExplanationProps {
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string;
  readonly events: readonly TimelineEntry[];
}

/** The payment in one paragraph. */
const useExplanation = ({ id, state, currency, events }: ExplanationProps): string => {
  const { t, locale } = useI18n();
  const { data: summary } = usePaymentSummary(id, events.length);
  const { explain, steps, authentication } = t.payment;
  const payment = paymentStateOf(state);
  const attempts = attemptsIn(events);
  const { details } = attempts;
  const amount = (minor: number): string => formatAmount(minor, currency, locale);
  const { captured, refunded, chargedBack } = amountsOf(state);
  const failure = failureText(t, payment, attempts);
  const method =
    details &&
    [
      methodText(t, details),
      details.country && countryText(details.country, locale),
      details.authentication && authentication[details.authentication],
    ]
      .filter(Boolean)
      .join(', ');
  const moved = [
    [steps.captured, captured],
    [steps.refunded, refunded],
    [steps.chargedBack, chargedBack],
  ] as const;
  return [
    explain.intro(
      id,
      amount(payment.terms?.amountMinor ?? 0),
      formatMoment(events[0]?.at ?? '', locale),
    ),
    summary && explain.order(summary.reference, summary.merchantName ?? summary.merchantId),
    payment.status && explain.status(statusWord(t, 'payment', payment.status)),
    method && explain.attempt(method),
    failure && `${failure}.`,
    ...moved.map(([label, minor]) => minor > 0 && explain.amount(label, amount(minor))),
    ...pendingOf(state, { t, locale, currency }).map(({ text }) => text),
  ]
    .filter(Boolean)
    .join(' ');
};

const Paragraph = (props: ExplanationProps) => {
  const { t } = useI18n();
  const text = useExplanation(props);
  return (
    <div className={styles['explanation']}>
      <p>{text}</p>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" size="compact-sm" onClick={copy}>
            {copied ? t.shared.copied : t.shared.copy}
          </Button>
        )}
      </CopyButton>
    </div>
  );
};

/** The payment in one paragraph that can be copied into a ticket, shown on demand. */
export const Explanation = (props: ExplanationProps) => {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  // Without an event there is nothing to explain.
  if (props.events.length === 0) return null;
  return (
    <div>
      <UnstyledButton className="link" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        <Group gap={4}>
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
          {t.payment.explain.title}
        </Group>
      </UnstyledButton>
      {isOpen && <Paragraph {...props} />}
    </div>
  );
};
