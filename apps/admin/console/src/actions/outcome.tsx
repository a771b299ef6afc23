import { useT } from '../i18n/i18n';
import { Refusal } from '../shared/refusal';
import type { Action } from './action';
import { useTold } from './use-told';

/** What came of an action, in a line; nothing before its end, or where its end says it all. */
export const Outcome = ({ action }: { readonly action: Action }) => {
  const settled: Readonly<Record<string, string>> = useT().actions.settled;
  const say = useTold();
  const { code, message, outcome, status } = action.outcome ?? {};
  if (typeof code === 'string') return <Refusal code={code} detail={String(message)} />;
  if (typeof outcome === 'string') return settled[outcome] ?? outcome;
  return typeof status === 'string' ? say({ code: 'status_shown', status }) : null;
};
