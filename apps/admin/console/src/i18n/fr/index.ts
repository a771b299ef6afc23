import type { Dictionary } from '../en';
import { actions, approvals } from './actions';
import { audit, settings, users } from './administration';
import { auditActions } from './audit-actions';
import { cases } from './cases';
import { entity } from './entity';
import { events } from './events';
import { lists } from './lists';
import { merchants } from './merchants';
import { ledger, money, payoutMoney } from './money';
import { notes } from './notes';
import { deadlines, queues, readModels, webhooks, workflows } from './operations';
import { overview } from './overview';
import { bankReasons, dueSentences, payment, stateItems, stateLabels } from './payment';
import { calls, previewTexts } from './preview-texts';
import { problems } from './problems';
import { operations } from './provider-operations';
import { payoutLines, reconciliation } from './reconciliation';
import { sentences } from './sentences';
import { aspects } from './sentences/mismatch';
import { session } from './session';
import { shared } from './shared';
import { shell } from './shell';
import { story } from './story';

export const fr: Dictionary = {
  actions,
  approvals,
  aspects,
  audit,
  auditActions,
  bankReasons,
  calls,
  cases,
  deadlines,
  dueSentences,
  entity,
  events,
  ledger,
  lists,
  merchants,
  money,
  notes,
  operations,
  overview,
  payment,
  payoutLines,
  payoutMoney,
  previewTexts,
  problems,
  queues,
  readModels,
  reconciliation,
  sentences,
  session,
  settings,
  shared,
  shell,
  stateItems,
  stateLabels,
  story,
  users,
  webhooks,
  workflows,
};
