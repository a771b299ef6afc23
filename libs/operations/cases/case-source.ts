/**
 * Who must act next: an operator, the platform or the provider. While an action on the case awaits
 * its approval, an approver must act.
 */
export const CASE_ACTORS = ['operator', 'approver', 'platform', 'provider'] as const;
export type CaseActor = (typeof CASE_ACTORS)[number];

/**
 * The columns of an open case, each an SQL expression. `key`: what the case is about, in letters,
 * digits and `_ . : -`; it never changes. `subjectType` and `subjectId`: the entity on whose page
 * the notes about the case are shown. `targetId`: what the recommended action acts on. `part`: the
 * kind of request, break or workflow. `reason`: why the case exists, without ids and times; cases
 * with an equal reason and origin belong to one incident. `detail`: the reason as it was recorded.
 * `origin`: the provider or the account that causes the case. `mode`: `test` or `live`; null if the
 * case concerns both, or is of neither. `amountMinor`: the money at risk in minor units.
 */
const COLUMNS = {
  key: 'text',
  subjectType: 'text',
  subjectId: 'text',
  targetId: 'text',
  part: 'text',
  reason: 'text',
  detail: 'text',
  origin: 'text',
  mode: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  since: 'timestamptz',
  deadline: 'timestamptz',
  acts: 'text',
} as const;

type Column = keyof typeof COLUMNS;

/** How the open cases of one kind are read from the tables that other parts of the product write. */
export interface CaseSource {
  readonly columns: Readonly<Record<Column, string>>;
  /** The `FROM` and `WHERE` clauses that select the open cases by an index. */
  readonly from: string;
}

const nameOf = (column: string): string =>
  column.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);

/** The statement that reads the open cases of one kind. */
export const statementOfSource = (kind: string, { columns, from }: CaseSource): string => {
  const values = Object.entries(COLUMNS).map(
    ([name, type]) => `(${columns[name as Column]})::${type} AS ${nameOf(name)}`,
  );
  return `SELECT '${kind}'::text AS kind, ${values.join(', ')} ${from}`;
};

/** A text without its ids, numbers and times, so that equal errors of different requests are equal. */
export const withoutIds = (text: string): string =>
  `regexp_replace(${text}, '\\m\\w*\\d[\\w:.+-]*', '#', 'g')`;

/** SQL: the provider and the mode of the account joined as `a`; empty if there is no account. */
export const PROVIDER = `coalesce(a.provider || ' ' || a.mode, '')`;

/** SQL: the mode of the account whose id is the SQL expression `id`; null if none has this id. */
export const modeOfAccount = (id: string): string =>
  `(SELECT one.mode FROM provider_accounts one WHERE one.id = ${id})`;

/** SQL: the mode of the merchant whose id is the SQL expression `id`; null if none has this id. */
export const modeOfMerchant = (id: string): string =>
  `(SELECT one.mode FROM merchant_list one WHERE one.merchant_id = ${id})`;

/** SQL: the mode of the order joined as `o`, otherwise of the merchant `id`; null if unknown. */
export const modeOf = (id: string): string =>
  `coalesce(${modeOfAccount('o.account_id')}, ${modeOfMerchant(id)})`;

/**
 * SQL: joins the data and the business time of the payment's newest event of this type that
 * satisfies the condition `which`.
 */
export const lastEvent = (type: string, paymentId: string, which = 'true'): string => `
  LEFT JOIN LATERAL (
    SELECT e.data, coalesce((e.data ->> 'at')::timestamptz, e.recorded_at) AS at FROM events e
     WHERE e.stream_type = 'payment' AND e.stream_id = ${paymentId} AND e.type = '${type}'
       AND ${which}
     ORDER BY e.version DESC LIMIT 1) AS last ON true`;
