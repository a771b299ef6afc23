import { useInfiniteQuery } from '@tanstack/react-query';
import { REFRESH_MS } from '../api/refresh';

export interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** What a page of a list is asked with: the filters, and where the page before ended. */
export type PageQuery = Readonly<Record<string, string>>;

/** More pages than this are not read again and again. */
const MAX_REFRESHED = 3;

/** A list, page after page, that keeps itself fresh. */
export const usePages = <Row>(
  name: string, query: PageQuery, read: (query: PageQuery) => Promise<PageOf<Row>>,
) => {
  const pages = useInfiniteQuery({
    queryKey: ['list', name, query],
    queryFn: ({ pageParam }) => read(pageParam === '' ? query : { ...query, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: PageOf<Row>) => nextCursor,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) <= MAX_REFRESHED ? REFRESH_MS.list : false,
  });
  const rows = pages.data?.pages.flatMap(({ items }) => items);
  return { ...pages, rows };
};
