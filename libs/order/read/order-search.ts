import { domainEvent, type RecordedEvent } from '#log';
import { column, type ValuesOf } from '#projections';
import type { OrderEvent } from '../domain/order-event.js';

const COLUMNS = {
  order_id: column<string>(),
  words: column<string>(),
};

/** Longer metadata is not searched, because an index on its parts would be large. */
const MAX_METADATA_CHARS = 64;

const entryOf = (
  _before: unknown,
  _after: unknown,
  recorded: RecordedEvent,
): ValuesOf<typeof COLUMNS> | null => {
  const event = domainEvent<OrderEvent>(recorded);
  if (event.type !== 'OrderPlaced') return null;
  const { reference, metadata } = event;
  const values = Object.values(metadata).filter((one) => one.length <= MAX_METADATA_CHARS);
  return { order_id: recorded.streamId, words: [reference, ...values].join(' ') };
};

/**
 * The data by which a search finds an order besides its id: the platform's reference, and the
 * metadata, e.g. the platform's own id of the payer.
 */
export const orderSearch = {
  table: 'order_search',
  keyColumns: ['order_id'],
  columns: COLUMNS,
  entryOf,
} as const;
