import { Summary } from '../entity/summary';
import type { Action } from './action';

/** What came of an action, in a line; nothing before its end. */
export const Outcome = ({ action }: { readonly action: Action }) =>
  action.outcome !== null && <Summary data={action.outcome} currency={null} />;
