import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Schemas } from './client';
import { hasManyPages } from './refresh';

/** As `GET /v1/changes` tells it. */
interface Changed {
  readonly type: string;
  readonly id: string;
}

/** Lists and sums are read again at most so often, however much happens. */
const CALM_MS = 2_000;

const REOPEN_MS = 5_000;

/** The server says something every six seconds: after so long it cannot be heard. */
const MAX_SILENCE_MS = 15_000;

/** Whether what happens is heard of now. */
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

/** What tells of many things at once. */
const isSum = ({ queryKey }: Query): boolean =>
  ['list', 'overview', 'queues', 'actions', 'merchant-board'].includes(String(queryKey[0]));

/**
 * Reads again what is shown. What is being read already is not cancelled, or what is read slowly
 * would never be shown; as it may be from before the change, it is read once more after that.
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

/** Sums are read again a while after the first of many changes. */
const calmly = (read: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      read();
    }, CALM_MS);
  };
};

/** One connection to what happens, while anybody looks: a browser has few of them for all tabs. */
const follow = (queries: QueryClient, tell: (liveness: Liveness) => void): (() => void) => {
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
  const lost = (): void => tell(navigator.onLine ? 'reconnecting' : 'offline');
  /** A connection may be dead and look open: when a network changes, or a machine has slept. */
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      lost();
      look();
    }, MAX_SILENCE_MS);
  };
  const open = (): void => {
    const opened = new EventSource('/v1/changes');
    source = opened;
    heard();
    opened.addEventListener('open', () => {
      heard();
      tell('live');
    });
    for (const type of ['beat', 'attention', 'many', 'changed']) {
      opened.addEventListener(type, heard);
    }
    opened.addEventListener('error', () => {
      lost();
      // By itself it comes back from a lost connection, not from an answer such as a 503.
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
  const look = (): void => {
    close();
    if (!navigator.onLine) lost();
    else if (!document.hidden) {
      open();
      void readAgain(queries);
    }
  };
  document.addEventListener('visibilitychange', look);
  for (const type of ['online', 'offline']) window.addEventListener(type, look);
  if (!navigator.onLine) lost();
  else if (!document.hidden) open();
  return () => {
    document.removeEventListener('visibilitychange', look);
    for (const type of ['online', 'offline']) window.removeEventListener(type, look);
    close();
  };
};

/**
 * Follows what happens, and reads again what is shown and has changed.
 * @returns whether the server can be heard now
 */
export const useLive = (): Liveness => {
  const queries = useQueryClient();
  const [liveness, setLiveness] = useState<Liveness>('reconnecting');
  useEffect(() => follow(queries, setLiveness), [queries]);
  return liveness;
};
