import { Group } from '@mantine/core';
import { EntityLink } from '../entity/entity-link';
import type { TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { auditText } from '../i18n/audit-text';
import { useI18n, useT } from '../i18n/i18n';
import { operationText } from '../i18n/operation-text';
import { Note } from '../shared/note';
import { Time } from '../shared/time';
import type { Chapter } from '../story/chapters';
import { causesText } from '../story/causes-text';
import { sentenceOf, type StoryContext } from '../story/say';
import { useActorName } from '../users/actor-name';
import { EntryDetails, useDisclosure } from './entry-details';
import { jobText } from './job-text';
import { TimelineRow, type TimelineRowProps } from './timeline-row';
import { isTrouble } from './trouble';

/** The sentence of an entry of the story. */
const useText = (context: StoryContext, entry: TimelineEntry): string => {
  const { t, locale } = useI18n();
  const { kind, name, data } = entry;
  switch (kind) {
    case 'event':
      return sentenceOf(context, entry);
    case 'job':
      return jobText(t, entry, locale);
    case 'saga':
      return t.workflows[name] ?? name;
    case 'audit':
      return auditText(t, name, data);
    case 'deadline':
    case 'call':
    case 'webhook':
      return name;
  }
};

/** A provider request or a webhook in one line. */
const Cause = ({ entry }: { readonly entry: TimelineEntry }) => {
  const { name, at, data } = entry;
  const { status, failure, durationMs, note } = data;
  const text = operationText(useT(), data['operation']);
  const facts = [failure ?? status, durationMs === undefined ? null : `${String(durationMs)} ms`];
  return (
    <li className={isTrouble(entry) ? styles['wrong'] : undefined}>
      {text === undefined ? <span className="mono">{name}</span> : <span title={name}>{text}</span>}
      {facts
        .filter((fact) => fact !== null && fact !== undefined)
        .map((fact) => (
          <span key={String(fact)}>{String(fact)}</span>
        ))}
      {typeof note === 'string' && <Note text={note} />}
      <Time at={at} />
    </li>
  );
};

interface StoryItemProps extends Omit<TimelineRowProps, 'entry' | 'title' | 'children'> {
  readonly chapter: Chapter;
  readonly context: StoryContext;
}

/** A line of the story as a sentence. Its causes and its recorded data are shown on demand. */
export const StoryItem = ({
  chapter: { entry, causes, earlier },
  context,
  ...row
}: StoryItemProps) => {
  const t = useT();
  const nameOf = useActorName();
  const { kind, actor, subjectType, subjectId, data } = entry;
  const text = useText(context, entry);
  const led = useDisclosure({
    label: causesText(t, causes),
    of: text,
    children: (
      <ul className={styles['causes']}>
        {causes.map((cause) => (
          <Cause key={cause.id} entry={cause} />
        ))}
      </ul>
    ),
  });
  const before = useDisclosure({
    label: t.story.earlier(earlier.length),
    of: text,
    children: (
      <ul className={styles['causes']}>
        {earlier.map((one) => (
          <li key={one.id}>
            <span>{sentenceOf(context, one)}</span>
            <Time at={one.at} />
          </li>
        ))}
      </ul>
    ),
  });
  const details = useDisclosure({
    label: t.shared.details,
    of: text,
    children: <EntryDetails entry={entry} />,
  });
  const reason = kind === 'audit' ? data['reason'] : null;
  return (
    <TimelineRow {...row} entry={entry} title={text}>
      <Group gap="md" className={styles['meta']}>
        {kind === 'audit' && actor !== null && (
          <span>
            {t.entity.by} {nameOf(actor)}
          </span>
        )}
        {typeof reason === 'string' && <span>{reason}</span>}
        {!row.isOwn && kind === 'event' && <EntityLink type={subjectType} id={subjectId} />}
        {causes.length > 0 && led.button}
        {earlier.length > 0 && before.button}
        {details.button}
      </Group>
      {before.content}
      {led.content}
      {details.content}
    </TimelineRow>
  );
};
