import type { EntityType, TimelineEntry } from './entity-types';
import { flatten } from './flat-state';

interface Titled {
  readonly type: EntityType;
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  /** The events of the entity, oldest first. */
  readonly events: readonly TimelineEntry[];
}

/** The fields by which people recognise an entity; a payment is recognised by its amount. */
const NAMES: Readonly<Record<EntityType, readonly string[]>> = {
  order: ['reference'],
  payment: [],
  payout: ['reference'],
  merchant: ['reference'],
  account: ['merchantId', 'mode'],
  webhook_endpoint: ['host'],
};

/** The name by which people know the entity, e.g. the platform's reference; otherwise its id. */
export const entityTitle = ({ type, id, state, events }: Titled): string => {
  const known = [...flatten(state), ...flatten(events[0]?.data ?? {})];
  const parts = NAMES[type].flatMap((name) => {
    const found = known.find(
      ({ path, value }) => path.split('.').at(-1) === name && typeof value === 'string',
    );
    return found === undefined ? [] : [String(found.value)];
  });
  return parts.length === 0 ? id : parts.join(' · ');
};
