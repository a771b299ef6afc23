import { Group } from '@mantine/core';
import { EntityLink } from '../entity/entity-link';
import type { TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { Summary } from '../entity/summary';
import { auditText } from '../i18n/audit-text';
import type { Dictionary } from '../i18n/en';
import { eventText } from '../i18n/event-text';
import { useT } from '../i18n/i18n';
import { operationText } from '../i18n/operation-text';
import { Age } from '../shared/time';
import { useActorName } from '../users/actor-name';
import { EntryDetails, useDisclosure } from './entry-details';
import { TimelineRow, type TimelineRowProps } from './timeline-row';

interface TimelineItemProps extends Omit<TimelineRowProps, 'title' | 'children'> {
  readonly currency: string | null;
}

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
      return operationText(t, data['operation']) ?? name;
    case 'webhook':
      return name;
  }
};

/** An entry of the raw timeline with its fields; its recorded data is shown on demand. */
export const TimelineItem = ({ currency, ...row }: TimelineItemProps) => {
  const t = useT();
  const nameOf = useActorName();
  const { entry, isOwn } = row;
  const { kind, name, at, version, actor, subjectType, subjectId, data } = entry;
  const title = titleOf(t, entry);
  const details = useDisclosure({
    label: t.shared.details,
    of: name,
    children: <EntryDetails entry={entry} />,
  });
  return (
    <TimelineRow {...row} title={title}>
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
      </Group>
      <Summary data={data} currency={currency} />
      {details.button}
      {details.content}
    </TimelineRow>
  );
};
