import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { api, bodyOf, type Schemas } from '../api/client';
import { pathOf } from '../entity/entity-types';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import { Icon } from '../shared/icons';
import { PAGES } from './pages';

const [store, spotlight] = createSpotlight();

type Hit = Schemas['SearchHit'];

const ICONS = {
  order: 'orders',
  payment: 'payments',
  payout: 'payouts',
  merchant: 'merchants',
  account: 'settings',
  webhook_endpoint: 'settings',
  exception: 'reconciliation',
  webhook: 'webhooks',
} as const;

/** The URL path of a search result. A result without a page links to the list that contains it. */
const addressOf = ({ type, id }: Hit): string => {
  const wanted = encodeURIComponent(id);
  if (type === 'exception') return `/reconciliation?id=${wanted}`;
  if (type === 'webhook') return `/webhooks?eventId=${wanted}`;
  return pathOf(type, id) ?? '/settings?view=accounts';
};

const describe = ({ type, found, status, reference, platformId }: Hit, t: Dictionary): string =>
  [t.shell.hitTypes[type], status, reference, platformId, t.shell.foundBy(found)]
    .filter((part) => part !== null)
    .join(' · ');

const TYPING_MS = 150;
const MIN_CHARS = 3;

const useHits = (query: string) => {
  const [wanted] = useDebouncedValue(query.trim(), TYPING_MS);
  const isEnough = wanted.length >= MIN_CHARS;
  const { data, isFetching } = useQuery({
    queryKey: ['search', wanted],
    queryFn: async () =>
      (await bodyOf(api.GET('/v1/search', { params: { query: { q: wanted } } }))).items,
    enabled: isEnough,
    placeholderData: keepPreviousData,
  });
  return { hits: isEnough ? (data ?? []) : [], isEnough, isFetching };
};

interface PaletteProps {
  /** A counter: the palette opens each time it changes. */
  readonly opened: number;
}

/** A dialog that searches pages, ids and references. */
export const Palette = ({ opened }: PaletteProps) => {
  const t = useT();
  useEffect(() => spotlight.open(), [opened]);
  const [, go] = useLocation();
  const [query, setQuery] = useState('');
  const { hits, isEnough, isFetching } = useHits(query);
  const wanted = query.trim().toLocaleLowerCase();
  const pages = PAGES.filter(({ name }) =>
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
        {hits.length > 0 && (
          <Spotlight.ActionsGroup label={t.shell.found}>
            {hits.map((hit) => (
              <Spotlight.Action
                key={`${hit.type} ${hit.id}`}
                label={hit.id}
                description={describe(hit, t)}
                leftSection={<Icon name={ICONS[hit.type]} />}
                onClick={() => go(addressOf(hit))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label={t.shell.goTo}>
            {pages.map(({ name, path }) => (
              <Spotlight.Action
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
            {isEnough ? t.shell.searchEmpty : t.shell.searchTooShort}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
};
