import type { List } from '#lists';

/** Reactions that were not made, as two people decided. */
export const DISCARDED_LIST: List = {
  name: 'discarded-reactions',
  items: 'DiscardedReactions',
  item: 'Discarded',
  from: 'discarded_reactions',
  id: 'id',
  idIs: 'uuid',
  columns: {
    id: { sql: 'id::text' },
    discardedAt: { sql: 'discarded_at', holds: 'instant' },
    saga: { sql: 'saga', means: 'The workflow, e.g. `checkout`.' },
    key: { sql: 'key', means: 'The order or merchant that it is about.' },
    streamType: { sql: 'stream_type', nullable: true },
    streamId: { sql: 'stream_id', nullable: true },
    version: { sql: 'version', holds: 'integer', nullable: true, means: 'Of the event.' },
    stimulus: {
      sql: 'stimulus',
      means: 'The type of the event, or the kind of the deadline.',
    },
    error: { sql: 'error', means: 'Why the reaction failed.' },
    reason: { sql: 'reason', means: 'Why it was discarded.' },
    actor: { sql: 'actor', means: '`user:<id>` or `ops:<hash>`.' },
  },
  filters: {},
  sorts: { discarded: { by: 'discarded_at', of: 'instant' } },
};
