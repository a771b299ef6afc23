import { RESOLVED_CALLS } from '../apps/worker/merchants/resolve-absent.js';
import type { SagaRef } from '#log';
import { Rejection } from '#kernel';
import type { MerchantMode } from '#onboarding';
import { type DailyLimit, LIMIT_HOLDERS, LIMIT_UNITS, LIMITED_OPERATIONS } from '#operations';
import { requiredText } from './command-line.js';

export const USAGE = `Repairs and settings by an operator, from the command line (needs DATABASE_URL)

  npm run ops -- requests
      lists the failed provider requests
  npm run ops -- requests retry <job id> --reason "…"
      sends the request again
  npm run ops -- requests resolve <job id> [--not-ours]
      reads the provider and previews the result of the request
  npm run ops -- requests resolve <job id> --apply --reason "…" [--not-ours]
      records the result; --not-ours: an equal refund or debit at the provider is another system's

  npm run ops -- workflows
      lists the blocked workflows
  npm run ops -- workflows retry <workflow> <key> --reason "…"
      handles the blocking event again
  npm run ops -- workflows discard <workflow> <key> <event id> --reason "…"
      continues without the blocking event

  npm run ops -- merchants
      lists the merchants that need attention
  npm run ops -- merchants confirm-absent <merchant id> create_company|order_terminal --reason "…"
      confirms that a request with an unknown result had no effect, so that it can be sent again
  npm run ops -- merchants review-mismatches <merchant id> --reason "…"
      marks the status mismatches of the merchant as reviewed
  npm run ops -- status-history
      lists the polling watermarks of the companies' status history
  npm run ops -- status-history poll test|live --reason "…"
      polls the status history now

  npm run ops -- users
      lists the users of the console
  npm run ops -- users create <name> --role viewer|operator|admin --reason "…"
      creates a user and prints a one-time password
  npm run ops -- users reset-password <name> --reason "…"
      prints a new one-time password
  npm run ops -- users reset-second-factor <name> --reason "…"
      deletes the second factor of a user who has lost it, and ends the user's sessions
  npm run ops -- users unlock-sign-ins --reason "…"
      ends the delay after too many failed sign-ins
  npm run ops -- limits
      lists the daily limits
  npm run ops -- limits set key|platform|mandate <id|*> refund|capture|debit amount|count <daily> \\
      --reason "…"
      changes a daily limit; amounts are in minor units
  npm run ops -- console reset-after-restore --reason "…"
      ends all sessions and open action requests, after the database was restored

Each change is audited with its reason. docs/operations.md explains when to use which command.
In production requests resolve --apply, workflows discard, merchants review-mismatches, users create,
users reset-password, users reset-second-factor and limits set require two people: use the console,
where a second person approves. --break-glass skips the approval and raises an alert. The first two users can be created without it.`;

/**
 * Returns the value of an argument. Like all functions in this file, it throws `Rejection('usage')`
 * if the value is missing or invalid.
 */
export const required = (value: string | undefined, what: string): string =>
  requiredText(value, what, USAGE);

export const sagaRef = ([saga, key]: readonly string[]): SagaRef => ({
  saga: required(saga, 'the workflow'),
  key: required(key, 'the key'),
});

const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T => {
  const one = all.find((known) => known === text);
  if (one !== undefined) return one;
  throw new Rejection('usage', `'${text ?? ''}' must be one of ${all.join(', ')}\n\n${USAGE}`);
};

export const dailyLimit = ([
  holder,
  holderId,
  operation,
  unit,
  daily,
]: readonly string[]): DailyLimit => {
  if (!/^\d{1,15}$/.test(daily ?? ''))
    throw new Rejection('usage', `the daily limit is missing or not a whole number\n\n${USAGE}`);
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
  throw new Rejection('usage', `the mode must be test or live\n\n${USAGE}`);
};

export const resolvedCall = (text: string | undefined): (typeof RESOLVED_CALLS)[number] => {
  const call = RESOLVED_CALLS.find((known) => known === text);
  if (call !== undefined) return call;
  throw new Rejection('usage', `the request must be ${RESOLVED_CALLS.join(' or ')}\n\n${USAGE}`);
};

/**
 * The action of each command in the audit. These names never change, because old audit entries
 * contain them.
 */
const ACTIONS: Readonly<Record<string, string>> = {
  'requests retry': 'ops.calls_release',
  'requests resolve': 'ops.calls_settle',
  'workflows retry': 'ops.reactions_retry',
  'workflows discard': 'ops.reactions_discard',
  'status-history poll': 'ops.history_poll',
  'merchants confirm-absent': 'ops.merchants_absent',
  'merchants review-mismatches': 'ops.merchants_reviewed',
  'users unlock-sign-ins': 'ops.admin_unlock',
  'console reset-after-restore': 'ops.console_restored',
};

/** The action of a command in the audit, e.g. `ops.limits_set` for `limits set`. */
export const auditActionOf = (command: string): string =>
  ACTIONS[command] ?? `ops.${command.replace(' ', '_')}`;
