import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Amount } from '../shared/amount';
import { CopyId } from '../shared/copy-id';
import { StatusBadge, type Tone } from '../shared/status-badge';
import { Time } from '../shared/time';
import styles from './payment.module.css';

interface ObjectCardProps {
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly tone: Tone;
  readonly status: string;
  readonly at: string;
  /** Further details, each on a line of its own. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** A capture, refund or dispute of a payment, with its status and actions. */
export const ObjectCard = (props: ObjectCardProps) => {
  const { id, amountMinor, currency, tone, status, at, children, actions } = props;
  return (
    <li className={`card ${styles['object']}`}>
      <Group justify="space-between" gap="xs">
        <span className={styles['value']}>
          <Amount amountMinor={amountMinor} currency={currency} />
        </span>
        <StatusBadge tone={tone} label={status} />
      </Group>
      {children}
      <div className={styles['note']}>
        <Time at={at} />
      </div>
      <div className={styles['id']}>
        <CopyId id={id} />
      </div>
      {actions}
    </li>
  );
};

interface ObjectsProps {
  readonly id: string;
  readonly title: string;
  readonly children: readonly ReactNode[];
}

/**
 * The cards of one kind, such as the captures, under their title; renders nothing if there are
 * none.
 */
export const Objects = ({ id, title, children }: ObjectsProps) =>
  children.length === 0 ? null : (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb={6}>
        {title}
      </Title>
      <ul className={styles['objects']}>{children}</ul>
    </section>
  );
