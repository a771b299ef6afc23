import { Checkbox, InputBase, Popover, Stack } from '@mantine/core';
import { useT } from '../i18n/i18n';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface SeveralFieldProps {
  readonly label: string;
  /** The selected values, separated by commas. */
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
}

export const severalOf = (value: string): string[] => value.split(',').filter((one) => one !== '');

/** A filter in which several choices can be selected. */
export const SeveralField = ({ label, value, choices, onChange }: SeveralFieldProps) => {
  const t = useT();
  const chosen = severalOf(value);
  const words = choices.filter((one) => chosen.includes(one.value)).map((one) => one.label);
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <InputBase component="button" type="button" pointer label={label} size="sm">
          <span className="cut" title={words.length === 0 ? undefined : words.join(', ')}>
            {words.length === 0 ? t.shared.any : words.join(', ')}
          </span>
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Checkbox.Group
          aria-label={label}
          value={chosen}
          onChange={(next) => onChange(next.join(','))}
        >
          <Stack gap="xs">
            {choices.map((one) => (
              <Checkbox key={one.value} size="sm" {...one} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
};
