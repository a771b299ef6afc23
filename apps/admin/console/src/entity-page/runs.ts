import type { TimelineEntry } from '../entity/entity-types';

/**
 * Consecutive timeline entries shown as one, e.g. the successful reads of a poller: the first
 * entry, and the rest.
 */
export interface Run {
  readonly first: TimelineEntry;
  readonly rest: readonly TimelineEntry[];
}

const isUneventful = ({ kind, data }: TimelineEntry): boolean =>
  kind === 'call' && data['failure'] === null && Number(data['status']) < 400;

/**
 * Whether the entry is a successful read, of any route: one poll of a payment reads several routes.
 */
const isRead = ({ name }: TimelineEntry): boolean => name.startsWith('GET ');

/**
 * Groups consecutive successful requests of one route, and consecutive successful reads of any
 * route; any other entry forms a separate group.
 */
export const runsOf = (entries: readonly TimelineEntry[]): readonly Run[] => {
  const runs: { first: TimelineEntry; rest: TimelineEntry[] }[] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const isSame =
      run !== undefined &&
      isUneventful(run.first) &&
      isUneventful(entry) &&
      (run.first.name === entry.name || (isRead(run.first) && isRead(entry)));
    if (isSame) run.rest.push(entry);
    else runs.push({ first: entry, rest: [] });
  }
  return runs;
};
