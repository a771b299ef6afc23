import type { List } from '#lists';

/** Discarded reactions. */
export const DISCARDED_LIST: List = {
  name: 'discarded-reactions',
  items: 'DiscardedReactions',
  item: 'Discarded',
  from: 'discarded_reactions',
  id: 'id',
  idIs: 'uuid',
  columns: {
    id: { sql: 'id::text' },
    discardedAt: {
      sql: 'discarded_at',
      holds: 'instant',
      means: 'When the reaction was discarded.',
    },
    saga: { sql: 'saga', means: 'The workflow, e.g. `checkout`.' },
    key: { sql: 'key', means: 'The order or merchant of the workflow.' },
    streamType: {
      sql: 'stream_type',
      nullable: true,
      means: 'The type of the event’s stream; null: a deadline.',
    },
    streamId: {
      sql: 'stream_id',
      nullable: true,
      means: 'The id of the event’s stream; null: a deadline.',
    },
    version: {
      sql: 'version',
      holds: 'integer',
      nullable: true,
      means: 'The version of the event.',
    },
    stimulus: {
      sql: 'stimulus',
      means: 'The type of the event, or the kind of the deadline.',
    },
    error: { sql: 'error', means: 'Why the reaction failed.' },
    reason: { sql: 'reason', means: 'Why the reaction was discarded.' },
    actor: { sql: 'actor', means: 'Who discarded the reaction: `user:<id>` or `ops:<hash>`.' },
  },
  filters: {},
  sorts: { discarded: { by: 'discarded_at', of: 'instant' } },
};
