import styles from './status-badge.module.css';

/** The severity by which a status is coloured: ok, in progress, waiting, failed or inactive. */
export type Tone = 'ok' | 'busy' | 'wait' | 'bad' | 'calm';

interface StatusBadgeProps {
  readonly tone: Tone;
  readonly label: string;
}

export const StatusBadge = ({ tone, label }: StatusBadgeProps) => (
  <span className={`${styles.badge} ${styles[tone]}`}>{label}</span>
);
