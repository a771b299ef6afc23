import type { Dictionary } from './en';

/** The text of an audit entry; an entry about an action request also names the kind of action. */
export const auditText = (
  t: Dictionary,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): string => {
  const text = t.auditActions[action] ?? action;
  const kinds: Readonly<Record<string, string>> = t.actions.kinds;
  const kind = action.startsWith('action.') ? kinds[String(detail['kind'])] : undefined;
  return kind === undefined ? text : t.shared.labeled(text, kind);
};
