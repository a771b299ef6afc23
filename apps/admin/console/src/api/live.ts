import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Schemas } from './client';

/** As `GET /v1/changes` tells it. */
interface Changed {
  readonly type: string;
  readonly id: string;
}

/** Lists and sums are read again at most so often, however much happens. */
const CALM_MS = 2_000;

const isOf = ({ queryKey, state }: Query, changed: readonly Changed[]): boolean => {
  const [area, type, id, part] = queryKey;
  if (area !== 'entity' || part !== 'timeline') return false;
  const timeline = state.data as Schemas['TimelineAnswer'] | undefined;
  return changed.some((one) =>
    (one.type === type && one.id === id) ||
    timeline?.items.some(({ subjectType, subjectId }) =>
      subjectType === one.type && subjectId === one.id));
};

/** What tells of many things at once. */
const isSum = ({ queryKey }: Query): boolean =>
  ['list', 'overview', 'queues', 'actions', 'merchant-board'].includes(String(queryKey[0]));

/**
 * Follows what happens, and reads again what is shown and has changed.
 * @returns whether the server can be heard now
 */
export const useLive = (): boolean => {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const source = new EventSource('/v1/changes');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const sums = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ predicate: isSum });
      }, CALM_MS);
    };
    source.addEventListener('open', () => setLive(true));
    source.addEventListener('error', () => setLive(false));
    source.addEventListener('attention', sums);
    source.addEventListener('many', () => void queries.invalidateQueries());
    source.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      const changed = JSON.parse(data) as readonly Changed[];
      void queries.invalidateQueries({ predicate: (query) => isOf(query, changed) });
      sums();
    });
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [queries]);
  return isLive;
};
