import { useInfiniteQuery } from '@tanstack/react-query';
import { listInterval } from '../api/refresh';

export interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** The query of a page: the filters and the cursor. */
export type PageQuery = Readonly<Record<string, string | readonly string[]>>;

/** Reads a page; the signal cancels an outdated request. */
export type ReadPage<Row> = (query: PageQuery, signal: AbortSignal) => Promise<PageOf<Row>>;

/** A paged list, refetched periodically. `enabled: false`: nothing is read, there are no rows. */
export const usePages = <Row>(
  name: string,
  query: PageQuery,
  read: ReadPage<Row>,
  enabled = true,
) => {
  const pages = useInfiniteQuery({
    enabled,
    queryKey: ['list', name, query],
    queryFn: ({ pageParam, signal }) =>
      read(pageParam === '' ? query : { ...query, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: PageOf<Row>) => nextCursor,
    // While a list loads, the rows of the previously shown list are not kept, because each list has
    // different fields.
    placeholderData: (before, query) => (query?.queryKey[1] === name ? before : undefined),
    refetchInterval: listInterval,
  });
  const rows = enabled ? pages.data?.pages.flatMap(({ items }) => items) : undefined;
  return { ...pages, rows };
};
