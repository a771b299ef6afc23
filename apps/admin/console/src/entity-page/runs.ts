import type { TimelineEntry } from '../entity/entity-types';

/** Entries that tell nothing new after each other, as the reads of a poller do. */
export interface Run<Item> {
  readonly first: Item;
  readonly rest: readonly Item[];
}

const isUneventful = ({ kind, data }: TimelineEntry): boolean =>
  kind === 'call' && data['failure'] === null && Number(data['status']) < 400;

/** Of whichever route: a look at a payment reads several. */
const isRead = ({ name }: TimelineEntry): boolean => name.startsWith('GET ');

/**
 * Calls of one route and reads of any that went well, one after another, become one; anything else
 * stands alone.
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
