import { useT } from '../i18n/i18n';
import { Refusal } from '../shared/refusal';
import type { Action } from './action';
import { usePreviewText } from './use-preview-text';

/** The result of an action in one line; null if the status is sufficient. */
export const Outcome = ({ action }: { readonly action: Action }) => {
  const resolved: Readonly<Record<string, string>> = useT().actions.resolved;
  const textOf = usePreviewText();
  const { code, message, outcome, status } = action.outcome ?? {};
  if (typeof code === 'string') return <Refusal code={code} detail={String(message)} />;
  if (typeof outcome === 'string') return resolved[outcome] ?? outcome;
  return typeof status === 'string' ? textOf({ code: 'status_shown', status }) : null;
};
