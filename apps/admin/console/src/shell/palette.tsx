import '@mantine/spotlight/styles.css';
import { Code, Input, Stack, Text, VisuallyHidden } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { type OptionGroup, optionId, OptionList, type PaletteOption } from './option-list';
import { SearchRefusal, useHitGroup } from './search-hits';
import { usePages } from './use-pages';

const [store, spotlight] = createSpotlight();
const { classes } = Spotlight;

/** Examples of the queries that the search supports. */
const EXAMPLES = {
  idOrReference: ['pay_0Vc', 'INV-2026'],
  amount: ['€44.85', '44.85 0012'],
  operators: ['status:refunded', 'amount:>100', 'date:2026-03-01', 'merchant:…'],
} as const;

const SearchExamples = () => {
  const { searchExamples } = useT().shell;
  return Object.entries(EXAMPLES).map(([what, examples]) => (
    <Text key={what} size="xs" c="dimmed" component="div">
      {searchExamples[what as keyof typeof EXAMPLES]}
      {examples.map((example) => (
        <Code key={example} ml={6}>
          {example}
        </Code>
      ))}
    </Text>
  ));
};

/** The groups of options that match the query; groups without options are left out. */
const useOptions = (query: string) => {
  const t = useT();
  const { group, ...search } = useHitGroup(query);
  const wanted = query.trim().toLocaleLowerCase();
  const pages: OptionGroup = {
    label: t.shell.goTo,
    options: usePages()
      .map(({ name, path }) => ({ key: path, label: t.shell.pages[name], icon: name, path }))
      .filter(({ label }) => label.toLocaleLowerCase().includes(wanted)),
  };
  const groups = [group, pages].filter(({ options }) => options.length > 0);
  return { ...search, groups, options: groups.flatMap(({ options }) => options) };
};

/**
 * The selected option, which the arrow keys change and Enter opens. If Enter is pressed before the
 * options of the typed text are shown, it opens the first of them as soon as they are.
 */
const useSelection = (
  query: string,
  { options, isCurrent }: Pick<ReturnType<typeof useOptions>, 'options' | 'isCurrent'>,
  open: (option: PaletteOption) => void,
) => {
  const [moved, setMoved] = useState({ query: '', index: 0 });
  const entered = useRef<string | null>(null);
  const last = options.length - 1;
  const selected = moved.query === query ? Math.min(moved.index, last) : 0;
  useEffect(() => {
    if (entered.current !== query || !isCurrent) return;
    entered.current = null;
    const option = options[selected];
    if (option !== undefined) open(option);
  }, [query, isCurrent, options, selected, open]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    entered.current = null;
    const option = options[selected];
    const move = (index: number): void => {
      event.preventDefault();
      setMoved({ query, index });
    };
    if (event.key === 'ArrowDown') move(selected >= last ? 0 : selected + 1);
    if (event.key === 'ArrowUp') move(selected <= 0 ? last : selected - 1);
    if (event.key !== 'Enter') return;
    if (!isCurrent) {
      move(0);
      entered.current = query;
    } else if (option !== undefined) open(option);
  };
  return { selected, onKeyDown };
};

interface PaletteProps {
  /** A counter; each change of its value opens the palette. */
  readonly opened: number;
}

/**
 * A dialog that searches the pages of the console by name, and payments, orders and other entities
 * on the server.
 */
export const Palette = ({ opened }: PaletteProps) => {
  const t = useT();
  useEffect(() => spotlight.open(), [opened]);
  const [, go] = useLocation();
  const [query, setQuery] = useState('');
  const found = useOptions(query);
  const { groups, options, isCurrent, isEnough, error } = found;
  const open = ({ path }: PaletteOption): void => {
    spotlight.close();
    go(path);
  };
  const { selected, onKeyDown } = useSelection(query, found, open);
  const id = useId();
  const hasOptions = options.length > 0;
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight={440}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': t.shell.search } }}
    >
      <Input
        size="lg"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
        className={classes['search'] ?? ''}
        classNames={{ input: classes['search'] ?? '' }}
        placeholder={t.shell.searchHint}
        leftSection={<Icon name="search" />}
        data-autofocus
        role="combobox"
        aria-label={t.shell.search}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={hasOptions}
        aria-controls={hasOptions ? id : undefined}
        aria-activedescendant={hasOptions ? optionId(id, selected) : undefined}
      />
      <VisuallyHidden role="status">
        {isCurrent && error === null && t.shell.results(options.length)}
      </VisuallyHidden>
      <Spotlight.ActionsList>
        {hasOptions && (
          <OptionList {...{ id, groups, selected }} label={t.shell.found} choose={open} />
        )}
        {!hasOptions && isCurrent && (
          <Spotlight.Empty>
            {error !== null && <SearchRefusal error={error} />}
            {error === null && (isEnough ? t.shell.searchEmpty : t.shell.searchTooShort)}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      <Spotlight.Footer>
        <Stack gap={4}>
          <SearchExamples />
        </Stack>
      </Spotlight.Footer>
    </Spotlight.Root>
  );
};
