import type { TimelineEntry } from '../entity/entity-types';

/**
 * Consecutive timeline entries shown as one, e.g. the successful reads of a poller: the first
 * entry, and the rest.
 */
export interface Run<Item> {
  readonly first: Item;
  readonly rest: readonly Item[];
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
export const runsOf = <Item extends { readonly entry: TimelineEntry }>(
  items: readonly Item[],
): readonly Run<Item>[] => {
  const runs: { first: Item; rest: Item[] }[] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const isSame =
      run !== undefined &&
      isUneventful(run.first.entry) &&
      isUneventful(item.entry) &&
      (run.first.entry.name === item.entry.name || (isRead(run.first.entry) && isRead(item.entry)));
    if (isSame) run.rest.push(item);
    else runs.push({ first: item, rest: [] });
  }
  return runs;
};
