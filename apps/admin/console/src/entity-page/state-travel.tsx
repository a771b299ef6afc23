import { ActionIcon, Group, Slider } from '@mantine/core';
import type { TimelineEntry } from '../entity/entity-types';
import { useI18n } from '../i18n/i18n';
import { formatDay } from '../shared/format';
import { Icon } from '../shared/icons';

export interface StateTravelProps {
  /** The events of the entity, in the order of their versions. */
  readonly events: readonly TimelineEntry[];
  /** Returns the name of the event with this version. */
  readonly nameOf: (version: number) => string;
  /** Called with the selected version; null selects the current state. */
  readonly onTravel: (version: number | null) => void;
}

/** The calendar day of an instant in the viewer's time zone, YYYY-MM-DD. */
const dayOf = (at: string): string => new Date(at).toLocaleDateString('sv');

/** The width that the label of a day needs, as a fraction of the slider. */
const LABEL_WIDTH = 0.2;

/**
 * One tick for each day with events, at the day's first event. The tick shows the day if there is
 * room for the label.
 */
const ticksOf = (events: readonly TimelineEntry[], locale: string) => {
  const firsts = events.flatMap(({ at }, index) => {
    const before = events[index - 1]?.at;
    const day = dayOf(at);
    return before !== undefined && dayOf(before) === day ? [] : [{ value: index + 1, day }];
  });
  if (firsts.length < 2) return [];
  let labelled = -Infinity;
  return firsts.map(({ value, day }) => {
    if (value - labelled < LABEL_WIDTH * events.length) return { value };
    labelled = value;
    return { value, label: formatDay(day, locale) };
  });
};

/** Selects the event after which the state is shown. */
export const StateTravel = ({
  shown,
  events,
  nameOf,
  onTravel,
}: StateTravelProps & { readonly shown: number }) => {
  const { t, locale } = useI18n();
  const last = events.length;
  const travel = (to: number): void => onTravel(to >= last ? null : Math.max(1, to));
  return (
    <Group gap="xs" wrap="nowrap" mt="xs" mb="xl">
      <ActionIcon
        variant="default"
        aria-label={t.entity.earlier}
        disabled={shown <= 1}
        onClick={() => travel(shown - 1)}
      >
        <Icon name="chevronLeft" />
      </ActionIcon>
      <Slider
        flex={1}
        min={1}
        max={Math.max(last, 2)}
        step={1}
        value={shown}
        onChange={travel}
        marks={[...ticksOf(events, locale)]}
        label={(at) => nameOf(at)}
        thumbLabel={t.entity.travel}
        disabled={last <= 1}
      />
      <ActionIcon
        variant="default"
        aria-label={t.entity.later}
        disabled={shown >= last}
        onClick={() => travel(shown + 1)}
      >
        <Icon name="chevronRight" />
      </ActionIcon>
    </Group>
  );
};
