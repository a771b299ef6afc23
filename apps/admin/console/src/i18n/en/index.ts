import { actions, approvals } from './actions';
import { entity } from './entity';
import { events } from './events';
import { audit, settings, users } from './house';
import { lists } from './lists';
import { merchants, payoutLines, reconciliation } from './money';
import { overview } from './overview';
import { problems } from './problems';
import { session } from './session';
import { shared } from './shared';
import { shell } from './shell';
import { calls, told } from './told';
import { queues, webhooks, workflows } from './watch';

export const en = {
  actions,
  approvals,
  audit,
  calls,
  entity,
  events,
  lists,
  merchants,
  overview,
  payoutLines,
  problems,
  queues,
  reconciliation,
  session,
  settings,
  shared,
  shell,
  told,
  users,
  webhooks,
  workflows,
};

/** What every language must say. */
export type Dictionary = typeof en;
