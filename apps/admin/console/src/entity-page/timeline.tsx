import { Group, SegmentedControl, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { EntityType, TimelineEntry } from '../entity/entity-types';
import { useT } from '../i18n/i18n';
import { isFailing } from '../story/chapters';
import { RawTimeline, type TimelineViewProps } from './raw-timeline';
import { Story } from './story';
import type { When } from './timeline-row';

interface TimelineProps extends Pick<TimelineViewProps, 'entries' | 'currency' | 'onTravel'> {
  readonly type: EntityType;
  readonly id: string;
  /** The selected event; null: the current state. */
  readonly version: number | null;
}

const VIEWS = { story: Story, raw: RawTimeline } as const;

type View = keyof typeof VIEWS;

/** The history of an entity: first as a story, and every recorded entry on demand. */
export const Timeline = ({ type, id, entries, currency, version, onTravel }: TimelineProps) => {
  const t = useT();
  const [view, setView] = useState<View>('story');
  const [isNewestFirst, setNewestFirst] = useState(() => entries.some(isFailing));
  const isOwn = (entry: TimelineEntry): boolean =>
    entry.subjectType === type && entry.subjectId === id;
  const here = entries.findIndex((entry) => isOwn(entry) && entry.version === version);
  const placeOf = new Map(entries.map((entry, index) => [entry.id, index]));
  const whenOf = (entry: TimelineEntry): When => {
    if (version === null) return 'before';
    // The versions decide the order of events, because events with equal or estimated times may be
    // out of order.
    const distance =
      isOwn(entry) && entry.version !== null
        ? entry.version - version
        : (placeOf.get(entry.id) ?? 0) - here;
    return distance < 0 ? 'before' : distance === 0 ? 'here' : 'after';
  };
  const Shown = VIEWS[view];
  return (
    <section className="card" aria-labelledby="timeline">
      <Group justify="space-between" p="md" pb={0}>
        <Title order={2} size="h4" id="timeline">
          {t.entity.timeline}
        </Title>
        <Group gap="md">
          <Switch
            size="xs"
            label={t.entity.newestFirst}
            checked={isNewestFirst}
            onChange={(event) => setNewestFirst(event.target.checked)}
          />
          <SegmentedControl
            size="xs"
            aria-label={t.story.view}
            value={view}
            onChange={(value) => setView(value as View)}
            data={(['story', 'raw'] as const).map((value) => ({ value, label: t.story[value] }))}
          />
        </Group>
      </Group>
      <Text c="dimmed" size="sm" px="md">
        {t.story.leads[view]}
      </Text>
      <Shown {...{ entries, currency, isNewestFirst, isOwn, whenOf, onTravel }} />
    </section>
  );
};
