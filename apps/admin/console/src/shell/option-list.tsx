import { UnstyledButton } from '@mantine/core';
import { Spotlight } from '@mantine/spotlight';
import { useEffect } from 'react';
import { Icon, type IconName } from '../shared/icons';

/** A search result, a list or a page of the console that the palette can open. */
export interface PaletteOption {
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly icon: IconName;
  readonly path: string;
}

export interface OptionGroup {
  readonly label: string;
  readonly options: readonly PaletteOption[];
}

/** The id of an option's element, to which the search field refers. */
export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

const { classes } = Spotlight;

interface OptionProps {
  readonly id: string;
  readonly option: PaletteOption;
  readonly isSelected: boolean;
  readonly choose: (option: PaletteOption) => void;
}

/**
 * An option of the palette. `Spotlight.Action` cannot be used, because it sets no ARIA role and
 * does not pass the id to its element.
 */
const Option = ({ id, option, isSelected, choose }: OptionProps) => (
  <UnstyledButton
    id={id}
    role="option"
    aria-selected={isSelected}
    data-selected={isSelected || undefined}
    className={classes['action']}
    px="md"
    py={6}
    tabIndex={-1}
    // Keeps the focus in the search field.
    onMouseDown={(event) => event.preventDefault()}
    onClick={() => choose(option)}
  >
    <span className={classes['actionSection']} data-position="left" data-dimmed>
      <Icon name={option.icon} />
    </span>
    <span className={classes['actionBody']}>
      <span className={classes['actionLabel']}>{option.label}</span>
      {option.description !== undefined && (
        <>
          {' '}
          {/* The library's opacity makes the contrast of a selected option too low. */}
          <span className={classes['actionDescription']} style={{ opacity: 1 }}>
            {option.description}
          </span>
        </>
      )}
    </span>
  </UnstyledButton>
);

interface OptionListProps {
  readonly id: string;
  readonly label: string;
  readonly groups: readonly OptionGroup[];
  /** The index of the selected option among the options of all groups. */
  readonly selected: number;
  readonly choose: (option: PaletteOption) => void;
}

/** The options of the palette. The focus stays in the search field, which selects an option. */
export const OptionList = ({ id, label, groups, selected, choose }: OptionListProps) => {
  useEffect(() => {
    document.getElementById(optionId(id, selected))?.scrollIntoView({ block: 'nearest' });
  }, [id, selected]);
  const all = groups.flatMap(({ options }) => options);
  return (
    <div id={id} role="listbox" aria-label={label}>
      {groups.map((group) => (
        <Spotlight.ActionsGroup
          key={group.label}
          label={group.label}
          role="group"
          aria-label={group.label}
        >
          {group.options.map((option) => {
            const index = all.indexOf(option);
            return (
              <Option
                key={option.key}
                id={optionId(id, index)}
                option={option}
                isSelected={index === selected}
                choose={choose}
              />
            );
          })}
        </Spotlight.ActionsGroup>
      ))}
    </div>
  );
};
