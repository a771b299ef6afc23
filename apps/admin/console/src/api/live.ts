import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Schemas } from './client';
import { hasManyPages } from './refresh';

/** A changed entity, as `GET /v1/changes` reports it. */
interface Changed {
  readonly type: string;
  readonly id: string;
}

/** The minimum interval between refetches of lists and totals. */
const CALM_MS = 2_000;

const REOPEN_MS = 5_000;

/**
 * Without a message for this long the connection counts as lost; the server sends a heartbeat every
 * six seconds.
 */
const MAX_SILENCE_MS = 15_000;

/** Whether live updates are received. */
export type Liveness = 'live' | 'reconnecting' | 'offline';

const isOf = ({ queryKey, state }: Query, changed: readonly Changed[]): boolean => {
  const [area, type, id, part] = queryKey;
  if (area !== 'entity' || part !== 'timeline') return false;
  const timeline = state.data as Schemas['TimelineAnswer'] | undefined;
  return changed.some(
    (one) =>
      (one.type === type && one.id === id) ||
      timeline?.items.some(
        ({ subjectType, subjectId }) => subjectType === one.type && subjectId === one.id,
      ),
  );
};

/** Whether the query is a list or a total of many entities. */
const isSum = ({ queryKey }: Query): boolean =>
  ['list', 'cases', 'overview', 'queues', 'actions', 'merchant-board'].includes(
    String(queryKey[0]),
  );

/**
 * Refetches the active queries. A running query is not canceled, because a slow query would then
 * never finish. After its end the query is fetched again, because its data may be older than the
 * change.
 */
const readAgain = async (
  queries: QueryClient,
  isMeant: (query: Query) => boolean = () => true,
): Promise<void> => {
  const predicate = (query: Query): boolean => isMeant(query) && !hasManyPages(query);
  const begun = queries.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' });
  await queries.invalidateQueries({ predicate }, { cancelRefetch: false });
  if (begun.length === 0) return;
  await queries.invalidateQueries(
    { predicate: (query) => begun.includes(query) },
    { cancelRefetch: false },
  );
};

/** Delays a refetch, so that many changes cause only one refetch. */
const calmly = (read: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      read();
    }, CALM_MS);
  };
};

/**
 * Keeps one event stream open while the tab is visible. A hidden tab has none, because a browser
 * limits the number of connections of all tabs together.
 */
const follow = (queries: QueryClient, onLiveness: (liveness: Liveness) => void): (() => void) => {
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const sums = calmly(() => void readAgain(queries, isSum));
  const close = (): void => {
    clearTimeout(again);
    clearTimeout(silence);
    source?.close();
    source = undefined;
  };
  const lost = (): void => onLiveness(navigator.onLine ? 'reconnecting' : 'offline');
  /**
   * Restarts the timer that closes a silent connection. After a change of network or a suspend, a
   * dead connection may seem open.
   */
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      lost();
      wake();
    }, MAX_SILENCE_MS);
  };
  const open = (): void => {
    const opened = new EventSource('/v1/changes');
    source = opened;
    heard();
    opened.addEventListener('open', () => {
      heard();
      onLiveness('live');
    });
    for (const type of ['beat', 'attention', 'many', 'changed']) {
      opened.addEventListener(type, heard);
    }
    opened.addEventListener('error', () => {
      lost();
      // The browser itself reconnects after a lost connection, but not after a response such as
      // 503.
      if (opened.readyState === EventSource.CLOSED) again = setTimeout(open, REOPEN_MS);
    });
    opened.addEventListener('attention', sums);
    opened.addEventListener('many', () => void readAgain(queries));
    opened.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      const changed = JSON.parse(data) as readonly Changed[];
      void readAgain(queries, (query) => isOf(query, changed));
      sums();
    });
  };
  const wake = (): void => {
    close();
    if (!navigator.onLine) lost();
    else if (!document.hidden) {
      open();
      void readAgain(queries);
    }
  };
  document.addEventListener('visibilitychange', wake);
  for (const type of ['online', 'offline']) window.addEventListener(type, wake);
  if (!navigator.onLine) lost();
  else if (!document.hidden) open();
  return () => {
    document.removeEventListener('visibilitychange', wake);
    for (const type of ['online', 'offline']) window.removeEventListener(type, wake);
    close();
  };
};

/**
 * Follows the event stream and refetches the queries that have changed.
 * @returns whether live updates are received
 */
export const useLive = (): Liveness => {
  const queries = useQueryClient();
  const [liveness, setLiveness] = useState<Liveness>('reconnecting');
  useEffect(() => follow(queries, setLiveness), [queries]);
  return liveness;
};
