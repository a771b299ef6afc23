import { forPlatforms } from '#lists';
import { EXCEPTION_LIST } from '#payout';

/** Joins a reconciliation break with the open action request that would close the break, if any. */
export const ASKED = `a.kind = 'close_exception' AND (a.status = 'executing'
  OR a.status = 'pending' AND a.expires_at > now())`;

const instant = (sql: string): string =>
  `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const NAMES = { accountId: 'providerAccountId', state: 'status' } as const;

/** The columns of a break in a downloaded file. */
export const EXCEPTION_LINES = forPlatforms(EXCEPTION_LIST, NAMES);

export const EXCEPTIONS = forPlatforms(
  {
    ...EXCEPTION_LIST,
    columns: {
      ...EXCEPTION_LIST.columns,
      subject: { sql: `json_build_object('kind', line_kind, 'id', object_id)` },
      closing: {
        sql: `(SELECT json_build_object('reason', a.reason, 'at', ${instant('a.requested_at')})
        FROM admin_actions a
       WHERE ${ASKED} AND a.target = jsonb_build_object('subjectId', exception_id))`,
      },
      closed: {
        sql: `CASE WHEN closed_at IS NOT NULL THEN json_build_object(
        'at', ${instant('closed_at')}, 'by', closed_by, 'reason', coalesce(close_reason, '')) END`,
      },
    },
  },
  {
    ...NAMES,
    lineKind: null,
    objectId: null,
    closedAt: null,
    closedBy: null,
    closeReason: null,
  },
);
