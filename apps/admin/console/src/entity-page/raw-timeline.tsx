import { Chip, Group, UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { EntryKind, TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { useT } from '../i18n/i18n';
import { runsOf } from './runs';
import { TimelineItem } from './timeline-item';
import type { When } from './timeline-row';

const KINDS: readonly EntryKind[] = [
  'event',
  'call',
  'job',
  'webhook',
  'saga',
  'deadline',
  'audit',
];

/** A button that shows the repeated entries of the timeline. */
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

export interface TimelineViewProps {
  readonly entries: readonly TimelineEntry[];
  readonly currency: string | null;
  readonly isNewestFirst: boolean;
  readonly isOwn: (entry: TimelineEntry) => boolean;
  readonly whenOf: (entry: TimelineEntry) => When;
  readonly onTravel: (version: number) => void;
}

/** Every recorded entry with its fields, in the order of business time. */
export const RawTimeline = (props: TimelineViewProps) => {
  const { entries, currency, isNewestFirst, isOwn, whenOf, onTravel } = props;
  const t = useT();
  const [hidden, setHidden] = useState<readonly EntryKind[]>([]);
  const there = KINDS.filter((kind) => entries.some((entry) => entry.kind === kind));
  const items = entries.filter(({ kind }) => !hidden.includes(kind));
  const itemOf = (entry: TimelineEntry) => (
    <TimelineItem
      key={entry.id}
      entry={entry}
      when={whenOf(entry)}
      isOwn={isOwn(entry)}
      currency={currency}
      onTravel={onTravel}
    />
  );
  return (
    <>
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
      <ol className={styles['timeline']}>
        {runsOf(isNewestFirst ? items.toReversed() : items).map(({ first, rest }) => (
          <Fragment key={first.id}>
            {itemOf(first)}
            {rest.length > 0 && <More count={rest.length}>{rest.map(itemOf)}</More>}
          </Fragment>
        ))}
      </ol>
    </>
  );
};
