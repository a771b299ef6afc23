import { ActionIcon, Group, Slider } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';

export interface StateTravelProps {
  /** The version of the last event. */
  readonly last: number;
  /** Returns the name of the event with this version. */
  readonly nameOf: (version: number) => string;
  /** Called with the selected version; null selects the current state. */
  readonly onTravel: (version: number | null) => void;
}

/** Selects the event after which the state is shown. */
export const StateTravel = ({
  shown,
  last,
  nameOf,
  onTravel,
}: StateTravelProps & { readonly shown: number }) => {
  const t = useT();
  const travel = (to: number): void => onTravel(to >= last ? null : Math.max(1, to));
  return (
    <Group gap="xs" wrap="nowrap" mt="xs" mb="lg">
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
