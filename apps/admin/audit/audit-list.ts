import type { List } from '#lists';

/** An audit entry. */
export const AUDIT_LIST: List = {
  name: 'audit',
  items: 'Audit',
  item: 'Audit',
  from: `audit a LEFT JOIN admin_users u ON 'user:' || u.id = a.actor
    LEFT JOIN admin_users s ON a.subject_type = 'user' AND s.id = a.subject_id`,
  id: 'a.id',
  idIs: 'number',
  columns: {
    id: { sql: 'a.id::text', means: 'The number of the entry; later entries have higher numbers.' },
    at: { sql: 'a.at', holds: 'instant', means: 'When the entry was recorded, wall-clock time.' },
    actor: {
      sql: 'a.actor',
      means: '`user:<id>`, `ops:<hash>`, or `unknown` without a session.',
    },
    actorName: { sql: 'u.name', nullable: true, means: 'The user’s name; null: not a user.' },
    action: { sql: 'a.action', means: 'The code of the action, e.g. `user.created`.' },
    subjectType: {
      sql: 'a.subject_type',
      nullable: true,
      means: 'The type of the entity that the entry is about.',
    },
    subjectId: {
      sql: 'a.subject_id',
      nullable: true,
      means: 'The id of the entity that the entry is about.',
    },
    subjectName: { sql: 's.name', nullable: true, means: 'The name of the user concerned.' },
    reason: { sql: 'a.reason', nullable: true, means: 'The reason given by the actor.' },
    requestId: { sql: 'a.request_id', means: 'The id of the request.' },
    detail: { sql: 'a.detail', holds: 'object', means: 'Details of the action.' },
  },
  filters: {
    actor: { is: 'id', where: 'a.actor = ?' },
    action: { is: 'id', where: 'a.action = ?' },
    subjectId: { is: 'id', where: 'a.subject_id = ?' },
    from: { is: 'instant', where: 'a.at >= ?', means: 'Recorded at or after this instant.' },
    to: { is: 'instant', where: 'a.at < ?', means: 'Recorded before this instant.' },
  },
  sorts: { done: { by: 'a.at', of: 'instant' } },
};
