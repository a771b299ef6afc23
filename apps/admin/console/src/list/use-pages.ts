import { useInfiniteQuery } from '@tanstack/react-query';
import { listInterval } from '../api/refresh';

export interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** What a page of a list is asked with: the filters, and where the page before ended. */
export type PageQuery = Readonly<Record<string, string | readonly string[]>>;

/** Reads a page; the signal ends the request of one that nobody waits for any more. */
export type ReadPage<Row> = (query: PageQuery, signal: AbortSignal) => Promise<PageOf<Row>>;

/** A list, page after page, that keeps itself fresh. */
export const usePages = <Row>(name: string, query: PageQuery, read: ReadPage<Row>) => {
  const pages = useInfiniteQuery({
    queryKey: ['list', name, query],
    queryFn: ({ pageParam, signal }) =>
      read(pageParam === '' ? query : { ...query, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: PageOf<Row>) => nextCursor,
    placeholderData: (before) => before,
    refetchInterval: listInterval,
  });
  const rows = pages.data?.pages.flatMap(({ items }) => items);
  return { ...pages, rows };
};
