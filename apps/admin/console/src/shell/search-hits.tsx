import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiProblem, api, bodyOf, type Schemas } from '../api/client';
import { useHasLive } from '../cases/case';
import { pathOf } from '../entity/entity-types';
import type { Dictionary } from '../i18n/en';
import { useI18n } from '../i18n/i18n';
import { formatAmount, formatDay } from '../shared/format';
import { FieldDetail } from '../shared/field-detail';
import { ProblemText } from '../shared/problem-text';
import type { OptionGroup } from './option-list';

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
const addressOf = ({ type, id }: Hit): string => {
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

const foundText = (found: string, { shell }: Dictionary): string => {
  const texts: Readonly<Record<string, string>> = shell.foundBy;
  return texts[found] ?? found;
};

const describe = (hit: Hit, t: Dictionary, locale: string, hasLive: boolean): string =>
  [
    hasLive && hit.mode === 'test' ? t.money.modes.test : null,
    t.shell.hitTypes[hit.type],
    statusOf(hit, t),
    amountOf(hit, locale),
    hit.at === null ? null : formatDay(hit.at, locale),
    hit.reference,
    hit.platformId,
    hit.found === null ? null : foundText(hit.found, t),
  ]
    .filter((part) => part !== null)
    .join(' · ');

const TYPING_MS = 150;
const MIN_CHARS = 2;

/** The results of the server's search, which starts when the user pauses typing. */
const useHits = (query: string) => {
  const typed = query.trim();
  const [wanted] = useDebouncedValue(typed, TYPING_MS);
  const isEnough = wanted.length >= MIN_CHARS;
  const { data, error, isPending, isPlaceholderData } = useQuery({
    queryKey: ['search', wanted],
    queryFn: async () =>
      (await bodyOf(api.GET('/v1/search', { params: { query: { q: wanted } } }))).items,
    enabled: isEnough,
    placeholderData: keepPreviousData,
  });
  const hits = isEnough && error === null ? (data ?? []) : [];
  // While the user types, the results of the previous text stay in view.
  const isCurrent = wanted === typed && (!isEnough || !(isPending || isPlaceholderData));
  return { hits, isEnough, isCurrent, error: isEnough ? error : null };
};

/** The results, and the lists that show all of them, as options that each open a page. */
export const useHitGroup = (query: string) => {
  const { t, locale } = useI18n();
  const { hits, ...search } = useHits(query);
  const hasLive = useHasLive(hits.some(({ mode }) => mode === 'test'));
  const lists = Object.entries(LISTS).flatMap(([type, name]) => {
    const listed = hits.filter((hit) => hit.type === type && hit.found === null);
    // A list shows the rows of one mode.
    return [...new Set(listed.map(({ mode }) => mode))].map((mode) => ({ name, mode }));
  });
  const group: OptionGroup = {
    label: t.shell.found,
    options: [
      ...hits.map((hit) => ({
        key: `${hit.type} ${hit.id} ${hit.found}`,
        label: hit.id,
        description: describe(hit, t, locale, hasLive),
        icon: ICONS[hit.type],
        path: addressOf(hit),
      })),
      ...lists.map(({ name, mode }) => ({
        key: `${name} ${mode}`,
        label: t.shared.labeled(t.shell.allResults, t.shell.pages[name]),
        ...(hasLive && mode !== null && { description: t.money.modes[mode] }),
        icon: name,
        path: `/${name}?${new URLSearchParams({
          search: query.trim(),
          ...(mode !== null && { mode }),
        }).toString()}`,
      })),
    ],
  };
  return { ...search, group };
};

/** The message about a refused search. */
export const SearchRefusal = ({ error }: { readonly error: Error }) => {
  const detail = error instanceof ApiProblem ? error.fields['search'] : undefined;
  return (
    <Text size="sm" role="alert" ta="start">
      {detail === undefined ? (
        <ProblemText error={error} />
      ) : (
        <FieldDetail name="search" detail={detail} />
      )}
    </Text>
  );
};
