import styles from './status-badge.module.css';

/** What a state means to who looks: done, going on, to be waited for, in trouble, or over. */
export type Tone = 'ok' | 'busy' | 'wait' | 'bad' | 'calm';

interface StatusBadgeProps {
  readonly tone: Tone;
  readonly label: string;
}

export const StatusBadge = ({ tone, label }: StatusBadgeProps) => (
  <span className={`${styles.badge} ${styles[tone]}`}>{label}</span>
);
