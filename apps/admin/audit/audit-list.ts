import type { List } from '#lists';

/** One thing that somebody did. */
export const AUDIT_LIST: List = {
  name: 'audit',
  items: 'Audit',
  item: 'Audit',
  from: `audit a LEFT JOIN admin_users u ON 'user:' || u.id = a.actor
    LEFT JOIN admin_users s ON a.subject_type = 'user' AND s.id = a.subject_id`,
  id: 'a.id',
  idIs: 'number',
  columns: {
    id: { sql: 'a.id::text' },
    at: { sql: 'a.at', holds: 'instant' },
    actor: {
      sql: 'a.actor',
      means: '`user:<id>`, `ops:<hash>`, or `unknown` where nobody was signed in.',
    },
    actorName: { sql: 'u.name', nullable: true },
    action: { sql: 'a.action' },
    subjectType: { sql: 'a.subject_type', nullable: true },
    subjectId: { sql: 'a.subject_id', nullable: true },
    subjectName: { sql: 's.name', nullable: true, means: 'Whose account it was, of a person.' },
    reason: { sql: 'a.reason', nullable: true },
    requestId: { sql: 'a.request_id' },
    detail: { sql: 'a.detail', holds: 'object' },
  },
  filters: {
    actor: { is: 'id', where: 'a.actor = ?' },
    action: { is: 'id', where: 'a.action = ?' },
    subjectId: { is: 'id', where: 'a.subject_id = ?' },
    from: { is: 'instant', where: 'a.at >= ?', means: 'Done then or later.' },
    to: { is: 'instant', where: 'a.at < ?', means: 'Done before.' },
  },
  sorts: { done: { by: 'a.at', of: 'instant' } },
};
