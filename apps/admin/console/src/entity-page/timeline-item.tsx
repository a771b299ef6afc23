import { ActionIcon, Group, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { EntityLink } from '../entity/entity-link';
import type { TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { Summary } from '../entity/summary';
import { auditText } from '../i18n/audit-text';
import type { Dictionary } from '../i18n/en';
import { eventText } from '../i18n/event-text';
import { useT } from '../i18n/i18n';
import { CopyId } from '../shared/copy-id';
import { Icon } from '../shared/icons';
import { Json } from '../shared/json';
import { Age, Time } from '../shared/time';
import { useActorName } from '../users/actor-name';

interface TimelineItemProps {
  readonly entry: TimelineEntry;
  readonly currency: string | null;
  /** Whether the entry belongs to the entity of this page, not to a related entity. */
  readonly isOwn: boolean;
  /** Whether the entry is before, at or after the selected event. */
  readonly when: 'before' | 'here' | 'after';
  /** Shows the state after this event. */
  readonly onTravel: (version: number) => void;
}

/**
 * Whether the response refuses the request. A 404 is not a refusal, because the object may not
 * exist yet.
 */
const isRefusal = (status: number): boolean => status >= 400 && status !== 404;

const isTrouble = ({ kind, name, data }: TimelineEntry): boolean =>
  (kind === 'job' && data['state'] === 'stuck') ||
  (kind === 'saga' && data['waiting'] !== undefined) ||
  (kind === 'event' && /(Mismatch|Failed|Refused|Disputed|Returned)/.test(name)) ||
  (kind === 'call' &&
    (typeof data['failure'] === 'string' || isRefusal(Number(data['status'] ?? 0))));

/** The title of an entry: the translated text of its code, or the code if no text is defined. */
const titleOf = (t: Dictionary, { kind, name, data }: TimelineEntry): string => {
  switch (kind) {
    case 'event':
      return eventText(t, name) ?? name;
    case 'job':
      return t.calls[name] ?? name;
    case 'saga':
      return t.workflows[name] ?? name;
    case 'deadline':
      return t.deadlines[name] ?? name;
    case 'audit':
      return auditText(t, name, data);
    case 'call':
    case 'webhook':
      return name;
  }
};

/** When and in which trace an entry was recorded, and its data. */
const EntryDetails = ({ entry }: Pick<TimelineItemProps, 'entry'>) => {
  const t = useT();
  const { recordedAt, traceId, traceUrl } = entry;
  return (
    <>
      {recordedAt !== null && (
        <div className={styles['meta']}>
          {t.entity.recorded} <Time at={recordedAt} />
        </div>
      )}
      {traceId !== null && (
        <div className={styles['meta']}>
          {t.entity.trace}{' '}
          {traceUrl === null ? (
            <CopyId id={traceId} />
          ) : (
            <a className="link mono" href={traceUrl} target="_blank" rel="noreferrer">
              {traceId}
            </a>
          )}
        </div>
      )}
      <Json label={t.entity.raw} value={entry} className={styles['json']} />
    </>
  );
};

/** An entry of the timeline in one line; its recorded data is shown on demand. */
export const TimelineItem = ({ entry, currency, isOwn, when, onTravel }: TimelineItemProps) => {
  const t = useT();
  const nameOf = useActorName();
  const [isOpen, setOpen] = useState(false);
  const { kind, name, at, version, actor, subjectType, subjectId, data } = entry;
  const title = titleOf(t, entry);
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
      <Group justify="space-between" gap="xs" align="baseline">
        <span className={styles['name']}>{title}</span>
        <Group gap="sm" className={styles['meta']} wrap="nowrap">
          <Time at={at} />
          {isOwn && version !== null && (
            <ActionIcon
              variant={when === 'here' ? 'filled' : 'default'}
              size="sm"
              title={t.entity.showStateHere}
              aria-label={t.shared.labeled(t.entity.showStateHere, name)}
              onClick={() => onTravel(version)}
            >
              <Icon name="history" size={14} />
            </ActionIcon>
          )}
        </Group>
      </Group>
      <Group gap="xs" className={styles['meta']}>
        <span>{version === null ? t.entity.kind[kind] : `${t.entity.kind[kind]} ${version}`}</span>
        {title !== name && <span className="mono">{name}</span>}
        <Age at={at} />
        {!isOwn && kind === 'event' && <EntityLink type={subjectType} id={subjectId} />}
        {actor !== null && (
          <span>
            {t.entity.by} {nameOf(actor)}
          </span>
        )}
        {when === 'after' && <span className="visually-hidden">{t.entity.notYet}</span>}
      </Group>
      <Summary data={data} currency={currency} />
      <Group gap="sm" mt={2}>
        <UnstyledButton
          className={styles['meta']}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
        >
          <Group gap={4}>
            <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
            {t.shared.details}
            <span className="visually-hidden"> {name}</span>
          </Group>
        </UnstyledButton>
      </Group>
      {isOpen && <EntryDetails entry={entry} />}
    </li>
  );
};
