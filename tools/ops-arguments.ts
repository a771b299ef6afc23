import { SETTLED_CALLS } from '../apps/worker/merchants/settle-absent.js';
import type { SagaRef } from '#log';
import { Rejection } from '#kernel';
import type { MerchantMode } from '#onboarding';
import { type DailyLimit, LIMIT_HOLDERS, LIMIT_UNITS, LIMITED_OPERATIONS } from '#operations';
import { requiredText } from './command-line.js';

export const USAGE = `Repairs that an operator decides (needs DATABASE_URL)

  npm run ops -- calls
  npm run ops -- calls release <job id> --reason "…"
  npm run ops -- calls settle <job id>                       reads the provider: a preview
  npm run ops -- calls settle <job id> --apply --reason "…"  records the result
                                 --others                   an equal refund or debit is not ours
  npm run ops -- reactions                  blocked workflows
  npm run ops -- reactions retry <workflow> <key> --reason "…"
  npm run ops -- reactions discard <workflow> <key> <stimulus> --reason "…"
  npm run ops -- history                    the polling watermarks of the status history
  npm run ops -- history poll test|live --reason "…"         polls it now
  npm run ops -- merchants                  merchants that need attention
  npm run ops -- merchants absent <merchant id> create_company|order_terminal --reason "…"
  npm run ops -- merchants reviewed <merchant id> --reason "…"
                                            marks its status mismatches as reviewed
  npm run ops -- admin                                       the users of the console
  npm run ops -- admin create <name> --role viewer|operator|admin --reason "…"
  npm run ops -- admin reset <name> --reason "…"             a new one-time password
  npm run ops -- admin unlock --reason "…"                   clears the limit on sign-ins
  npm run ops -- limits                                      daily limits
  npm run ops -- limits set key|platform|mandate <id|*> refund|capture|debit amount|count <daily>
                                 --reason "…"                amounts in minor units
  npm run ops -- console restored --reason "…"               after a restore: ends what is open

Each change is audited with its reason. docs/operations.md says when to use which.
In production calls settle --apply, reactions discard, admin create, admin reset and limits set
require two people: use the console, where a second one approves. --break-glass skips the approval
and raises an alert. The first two users are created at set-up, without it.`;

/** Throws `Rejection('usage')`, as all functions here. */
export const required = (value: string | undefined, what: string): string =>
  requiredText(value, what, USAGE);

export const sagaRef = ([saga, key]: readonly string[]): SagaRef => ({
  saga: required(saga, 'the workflow'),
  key: required(key, 'the key'),
});

const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T => {
  const one = all.find((known) => known === text);
  if (one !== undefined) return one;
  throw new Rejection('usage', `'${text ?? ''}' is not one of ${all.join(', ')}\n\n${USAGE}`);
};

export const dailyLimit = ([
  holder,
  holderId,
  operation,
  unit,
  daily,
]: readonly string[]): DailyLimit => {
  if (!/^\d{1,15}$/.test(daily ?? ''))
    throw new Rejection('usage', `the limit is missing or not a number\n\n${USAGE}`);
  return {
    holder: oneOf(LIMIT_HOLDERS, holder),
    holderId: required(holderId, 'the id'),
    operation: oneOf(LIMITED_OPERATIONS, operation),
    unit: oneOf(LIMIT_UNITS, unit),
    daily: Number(daily),
  };
};

export const modeOf = (text: string | undefined): MerchantMode => {
  if (text === 'test' || text === 'live') return text;
  throw new Rejection('usage', `the mode is test or live\n\n${USAGE}`);
};

export const settledCall = (text: string | undefined): (typeof SETTLED_CALLS)[number] => {
  const call = SETTLED_CALLS.find((known) => known === text);
  if (call !== undefined) return call;
  throw new Rejection('usage', `the call is ${SETTLED_CALLS.join(' or ')}\n\n${USAGE}`);
};
