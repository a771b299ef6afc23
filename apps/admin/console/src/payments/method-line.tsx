import { Group } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { StatusBadge, type Tone } from '../shared/status-badge';
import { countryText, methodText } from './method-text';
import type { Attempts } from './payment-state';
import styles from './payment.module.css';

const TONES = {
  succeeded: 'ok',
  declined: 'bad',
  failed: 'bad',
  expired: 'bad',
  unavailable: 'calm',
} as const satisfies Readonly<Record<string, Tone>>;

interface MethodLineProps {
  readonly attempts: Attempts;
  /** The methods that the payer may choose from. */
  readonly methods: readonly ('card' | 'sepa')[];
}

/** The card or account with which the payer paid, and the outcome of 3-D Secure. */
export const MethodLine = ({ attempts, methods }: MethodLineProps) => {
  const { t, locale } = useI18n();
  const { latest, details, isDebit } = attempts;
  const allowed = methods.map((one) => t.payment.methods[one]).join(' / ');
  const [only] = methods;
  const text =
    details !== null
      ? methodText(t, details)
      : latest === null
        ? `${allowed} · ${t.payment.methodUnknown}`
        : t.payment.methods[isDebit || only === undefined ? 'sepa' : only];
  return (
    <Group gap="xs" className={styles['method']}>
      <Icon name="payments" />
      <span className="visually-hidden">{t.payment.method}</span>
      <span>{text}</span>
      {details?.country !== undefined && (
        <span className={styles['dimmed']}>{countryText(details.country, locale)}</span>
      )}
      {details?.authentication !== undefined && (
        <StatusBadge
          tone={TONES[details.authentication]}
          label={t.payment.authentication[details.authentication]}
        />
      )}
    </Group>
  );
};
