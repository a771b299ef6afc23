import '@mantine/spotlight/styles.css';
import { Code, Stack, Text } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { addressOf, HitGroups, SearchRefusal, useHits } from './search-hits';
import { usePages } from './use-pages';

const [store, spotlight] = createSpotlight();

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
  const { hits, isEnough, isFetching, error } = useHits(query);
  const wanted = query.trim().toLocaleLowerCase();
  const pages = usePages().filter(({ name }) =>
    t.shell.pages[name].toLocaleLowerCase().includes(wanted),
  );
  const first = hits[0] === undefined ? pages[0]?.path : addressOf(hits[0]);
  /** Enter opens the selected result, by default the first. */
  const enter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || first === undefined) return;
    if (document.querySelector('.mantine-Spotlight-action[data-selected]') !== null) return;
    spotlight.close();
    go(first);
  };
  const isNothing = pages.length + hits.length === 0 && !isFetching;
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
      <Spotlight.Search
        placeholder={t.shell.searchHint}
        aria-label={t.shell.search}
        leftSection={<Icon name="search" />}
        onKeyDown={enter}
      />
      <Spotlight.ActionsList>
        <HitGroups hits={hits} wanted={query.trim()} />
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label={t.shell.goTo}>
            {pages.map(({ name, path }) => (
              <Spotlight.Action
                px="md"
                py={6}
                key={path}
                label={t.shell.pages[name]}
                leftSection={<Icon name={name} />}
                onClick={() => go(path)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isNothing && (
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
