import { Chip, Group, Switch, Text, Title, UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { EntityType, EntryKind, TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { useT } from '../i18n/i18n';
import { runsOf } from './runs';
import { TimelineItem } from './timeline-item';

interface TimelineProps {
  readonly type: EntityType;
  readonly id: string;
  readonly entries: readonly TimelineEntry[];
  readonly currency: string | null;
  /** The selected event; null: the current state. */
  readonly version: number | null;
  readonly onTravel: (version: number) => void;
}

const KINDS: readonly EntryKind[] = [
  'event',
  'call',
  'job',
  'webhook',
  'saga',
  'deadline',
  'audit',
];

/** Whether an entry is before, at or after the selected event. */
const whenOf = (index: number, here: number): 'before' | 'here' | 'after' =>
  index < here ? 'before' : index === here ? 'here' : 'after';

/**
 * Whether the entry is failed or blocked work. A timeline with such an entry starts with the newest
 * entries, because the newest entries explain the failure.
 */
const isFailing = ({ kind, data }: TimelineEntry): boolean =>
  (kind === 'job' && (data['state'] === 'stuck' || data['state'] === 'waiting')) ||
  (kind === 'saga' && data['waiting'] !== undefined);

/** Repeated entries, shown on demand. */
const More = ({ count, children }: { readonly count: number; readonly children: ReactNode }) => {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return children;
  return (
    <li className={styles['entry']}>
      <UnstyledButton className={styles['meta']} onClick={() => setOpen(true)}>
        {t.entity.moreOfTheSame(count)}
      </UnstyledButton>
    </li>
  );
};

/** The history of an entity, in the order of business time. */
export const Timeline = ({ type, id, entries, currency, version, onTravel }: TimelineProps) => {
  const t = useT();
  const [hidden, setHidden] = useState<readonly EntryKind[]>([]);
  const [isNewestFirst, setNewestFirst] = useState(() => entries.some(isFailing));
  const isOwn = (entry: TimelineEntry): boolean =>
    entry.subjectType === type && entry.subjectId === id;
  const there = KINDS.filter((kind) => entries.some((entry) => entry.kind === kind));
  const here =
    version === null
      ? entries.length
      : entries.findIndex((entry) => isOwn(entry) && entry.version === version);
  const items = entries
    .map((entry, index) => ({
      entry,
      when: whenOf(index, here),
    }))
    .filter(({ entry }) => !hidden.includes(entry.kind));
  const ordered = isNewestFirst ? items.toReversed() : items;
  const itemOf = ({ entry, when }: (typeof items)[number]) => (
    <TimelineItem
      key={entry.id}
      entry={entry}
      when={when}
      isOwn={isOwn(entry)}
      currency={currency}
      onTravel={onTravel}
    />
  );
  return (
    <section className="card" aria-labelledby="timeline">
      <Group justify="space-between" p="md" pb={0}>
        <Title order={2} size="h4" id="timeline">
          {t.entity.timeline}
        </Title>
        <Switch
          size="xs"
          label={t.entity.newestFirst}
          checked={isNewestFirst}
          onChange={(event) => setNewestFirst(event.target.checked)}
        />
      </Group>
      <Text c="dimmed" size="sm" px="md">
        {t.entity.timelineLead}
      </Text>
      <Group gap={6} px="md" mt="xs" role="group" aria-label={t.entity.showKinds}>
        {there.map((kind) => (
          <Chip
            key={kind}
            size="xs"
            checked={!hidden.includes(kind)}
            variant="outline"
            onChange={(isShown) =>
              setHidden(isShown ? hidden.filter((one) => one !== kind) : [...hidden, kind])
            }
          >
            {t.entity.kinds[kind]}
          </Chip>
        ))}
      </Group>
      <ol className={styles['timeline']} style={{ padding: '0.75rem 1rem' }}>
        {runsOf(ordered).map(({ first, rest }) => (
          <Fragment key={first.entry.id}>
            {itemOf(first)}
            {rest.length > 0 && <More count={rest.length}>{rest.map(itemOf)}</More>}
          </Fragment>
        ))}
      </ol>
    </section>
  );
};
