import { Chip, Group, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../i18n/i18n';
import styles from './entity.module.css';
import type { EntityType, EntryKind, TimelineEntry } from './entity-types';
import { TimelineItem } from './timeline-item';

interface TimelineProps {
  readonly type: EntityType;
  readonly id: string;
  readonly entries: readonly TimelineEntry[];
  readonly currency: string | null;
  /** The event that one looks at; null: now. */
  readonly version: number | null;
  readonly onTravel: (version: number) => void;
}

const KINDS: readonly EntryKind[] = [
  'event', 'call', 'job', 'webhook', 'saga', 'deadline', 'audit',
];

/** Where an entry stands, compared with the one that one looks at. */
const whenOf = (index: number, here: number): 'before' | 'here' | 'after' =>
  index < here ? 'before' : index === here ? 'here' : 'after';

/** All that is known of an entity, in the order of time. */
export const Timeline = (
  { type, id, entries, currency, version, onTravel }: TimelineProps,
) => {
  const t = useT();
  const [hidden, setHidden] = useState<readonly EntryKind[]>([]);
  const [isNewestFirst, setNewestFirst] = useState(false);
  const isOwn = (entry: TimelineEntry): boolean =>
    entry.subjectType === type && entry.subjectId === id;
  const there = KINDS.filter((kind) => entries.some((entry) => entry.kind === kind));
  const here = version === null
    ? entries.length
    : entries.findIndex((entry) => isOwn(entry) && entry.version === version);
  const items = entries
    .map((entry, index) => ({
      entry, when: whenOf(index, here),
    }))
    .filter(({ entry }) => !hidden.includes(entry.kind));
  const ordered = isNewestFirst ? items.toReversed() : items;
  return (
    <section className="card" aria-labelledby="timeline">
      <Group justify="space-between" p="md" pb={0}>
        <Title order={2} size="h4" id="timeline">{t.entity.timeline}</Title>
        <Switch
          size="xs" label={t.entity.newestFirst} checked={isNewestFirst}
          onChange={(event) => setNewestFirst(event.target.checked)}
        />
      </Group>
      <Text c="dimmed" size="sm" px="md">{t.entity.timelineLead}</Text>
      <Group gap={6} px="md" mt="xs" role="group" aria-label={t.entity.showKinds}>
        {there.map((kind) => (
          <Chip
            key={kind} size="xs" checked={!hidden.includes(kind)} variant="outline"
            onChange={(isShown) =>
              setHidden(isShown ? hidden.filter((one) => one !== kind) : [...hidden, kind])}
          >
            {t.entity.kinds[kind]}
          </Chip>
        ))}
      </Group>
      <ol className={styles['timeline']} style={{ padding: '0.75rem 1rem' }}>
        {ordered.map(({ entry, when }) => (
          <TimelineItem
            key={entry.id} entry={entry} when={when} isOwn={isOwn(entry)} currency={currency}
            onTravel={onTravel}
          />
        ))}
      </ol>
    </section>
  );
};
