import { Summary } from '../entity/summary';
import { useT } from '../i18n/i18n';
import type { Action } from './action';

/** What came of an action, in a line; nothing before its end. */
export const Outcome = ({ action: { outcome } }: { readonly action: Action }) => {
  const words: Readonly<Record<string, string>> = useT().problems;
  if (outcome === null) return null;
  const word = words[String(outcome['code'])];
  return word ?? <div lang="en"><Summary data={outcome} currency={null} /></div>;
};
