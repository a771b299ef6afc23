import type { Schemas } from '../api/client';

export type EntityType = Schemas['EntityType'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type EntryKind = Schemas['TimelineEntryKind'];

const PATHS: Readonly<Record<EntityType, string>> = {
  order: 'orders',
  payment: 'payments',
  payout: 'payouts',
  merchant: 'merchants',
  account: 'accounts',
  webhook_endpoint: 'webhook-endpoints',
};

/** The entity types whose list is a view of the settings page. */
const SETTINGS_VIEWS: Readonly<Partial<Record<EntityType, string>>> = {
  account: 'accounts',
  webhook_endpoint: 'endpoints',
};

/** The entity type of a URL path like `/orders/…`. */
export const typeOfPath = (path: string | undefined): EntityType | null =>
  (Object.keys(PATHS) as EntityType[]).find((type) => PATHS[type] === path) ?? null;

/** The list of an entity type. */
export const listPathOf = (type: EntityType): string =>
  SETTINGS_VIEWS[type] === undefined ? `/${PATHS[type]}` : `/settings?view=${SETTINGS_VIEWS[type]}`;

/** The page of an entity; null if it has none. */
export const pathOf = (type: string | null, id: string | null): string | null =>
  type !== null && id !== null && type in PATHS
    ? `/${PATHS[type as EntityType]}/${encodeURIComponent(id)}`
    : null;
