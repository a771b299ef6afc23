import { ActionIcon, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { Time } from '../shared/time';
import { isTrouble } from './trouble';

/** Whether an entry is before, at or after the selected event. */
export type When = 'before' | 'here' | 'after';

export interface TimelineRowProps {
  readonly entry: TimelineEntry;
  /** Whether the entry belongs to the entity of this page, not to a related entity. */
  readonly isOwn: boolean;
  readonly when: When;
  /** Shows the page as it was after this event. */
  readonly onTravel: (version: number) => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** An entry of the timeline: its title, its time and a button to travel to it. */
export const TimelineRow = (props: TimelineRowProps) => {
  const { entry, isOwn, when, onTravel, title, children } = props;
  const { kind, at, version } = entry;
  const t = useT();
  const classes = [
    styles['entry'],
    styles[kind],
    isTrouble(entry) && styles['bad'],
    when === 'after' && styles['future'],
    when === 'here' && styles['here'],
  ];
  return (
    <li className={classes.filter(Boolean).join(' ')} aria-current={when === 'here' || undefined}>
      <span className={styles['dot']} />
      <div className={styles['row']}>
        <span className={styles['name']}>{title}</span>
        <Group gap="sm" className={styles['meta']} wrap="nowrap">
          <Time at={at} />
          {isOwn && version !== null && (
            <ActionIcon
              variant={when === 'here' ? 'filled' : 'default'}
              size="sm"
              title={t.entity.showStateHere}
              aria-label={t.shared.labeled(t.entity.showStateHere, title)}
              onClick={() => onTravel(version)}
            >
              <Icon name="history" size={14} />
            </ActionIcon>
          )}
        </Group>
      </div>
      {when === 'after' && <span className="visually-hidden">{t.entity.notYet}</span>}
      {children}
    </li>
  );
};
