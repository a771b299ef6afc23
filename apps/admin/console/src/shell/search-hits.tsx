import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ApiProblem, api, bodyOf, type Schemas } from '../api/client';
import { pathOf } from '../entity/entity-types';
import type { Dictionary } from '../i18n/en';
import { useI18n, useT } from '../i18n/i18n';
import { formatAmount, formatDay } from '../shared/format';
import { Icon } from '../shared/icons';
import { ProblemText } from '../shared/problem-text';

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

/** The lists that show all results of a search. */
const LISTS = { payment: 'payments', order: 'orders', payout: 'payouts' } as const;

/** The URL path of a search result. A result without a page links to the list that contains it. */
export const addressOf = ({ type, id }: Hit): string => {
  const wanted = encodeURIComponent(id);
  if (type === 'exception') return `/reconciliation?id=${wanted}`;
  if (type === 'webhook') return `/webhooks?eventId=${wanted}`;
  return pathOf(type, id) ?? '/settings?view=accounts';
};

const statusOf = ({ type, status }: Hit, t: Dictionary): string | null => {
  const labels: Readonly<Partial<Record<Hit['type'], Readonly<Record<string, string>>>>> = {
    payment: t.lists.paymentStatus,
    order: t.lists.orderStatus,
    payout: t.lists.payoutStatus,
    merchant: t.merchants.statuses,
  };
  return status === null ? null : (labels[type]?.[status] ?? status);
};

const amountOf = ({ amountMinor, currency }: Hit, locale: string): string | null =>
  amountMinor === null || currency === null ? null : formatAmount(amountMinor, currency, locale);

const describe = (hit: Hit, t: Dictionary, locale: string): string =>
  [
    t.shell.hitTypes[hit.type],
    statusOf(hit, t),
    amountOf(hit, locale),
    hit.at === null ? null : formatDay(hit.at, locale),
    hit.reference,
    hit.platformId,
    hit.found === null ? null : t.shell.foundBy(hit.found),
  ]
    .filter((part) => part !== null)
    .join(' · ');

const TYPING_MS = 150;
const MIN_CHARS = 2;

/** The results of the server's search, which starts when the user pauses typing. */
export const useHits = (query: string) => {
  const [wanted] = useDebouncedValue(query.trim(), TYPING_MS);
  const isEnough = wanted.length >= MIN_CHARS;
  const { data, error, isFetching } = useQuery({
    queryKey: ['search', wanted],
    queryFn: async () =>
      (await bodyOf(api.GET('/v1/search', { params: { query: { q: wanted } } }))).items,
    enabled: isEnough,
    placeholderData: keepPreviousData,
  });
  const hits = isEnough && error === null ? (data ?? []) : [];
  return { hits, isEnough, isFetching, error: isEnough ? error : null };
};

/** The results, each a link to its page, and links to the lists that show all of them. */
export const HitGroups = ({ hits, wanted }: { hits: readonly Hit[]; wanted: string }) => {
  const t = useT();
  const { locale } = useI18n();
  const [, go] = useLocation();
  const lists = Object.entries(LISTS).filter(([type]) =>
    hits.some((hit) => hit.type === type && hit.found === null),
  );
  if (hits.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={t.shell.found}>
      {hits.map((hit) => (
        <Spotlight.Action
          px="md"
          py={6}
          key={`${hit.type} ${hit.id} ${hit.found}`}
          label={hit.id}
          description={describe(hit, t, locale)}
          leftSection={<Icon name={ICONS[hit.type]} />}
          onClick={() => go(addressOf(hit))}
        />
      ))}
      {lists.map(([, name]) => (
        <Spotlight.Action
          px="md"
          py={6}
          key={name}
          label={t.shared.labeled(t.shell.allResults, t.shell.pages[name])}
          leftSection={<Icon name={name} />}
          onClick={() => go(`/${name}?search=${encodeURIComponent(wanted)}`)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
};

/** The message about a refused search. */
export const SearchRefusal = ({ error }: { readonly error: Error }) => {
  const detail = error instanceof ApiProblem ? error.fields['search'] : undefined;
  return (
    <Text size="sm" role="alert" ta="start">
      {detail === undefined ? <ProblemText error={error} /> : <span lang="en">{detail}</span>}
    </Text>
  );
};
