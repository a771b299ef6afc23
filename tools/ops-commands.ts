import type { Pool, PoolClient } from 'pg';
import { parseArgs } from 'node:util';
import { Audit, type AuditOrigin, type Subject } from '../apps/admin/shared/audit.js';
import { HistoryWatermarks } from '../apps/worker/merchants/history-watermarks.js';
import { MerchantExceptions } from '../apps/worker/merchants/merchant-exceptions.js';
import { settleAbsent } from '../apps/worker/merchants/settle-absent.js';
import { type EventStore, inTransaction, requireOwnLog, type SagaRef, WaitingSagas } from '#log';
import { type Clock, newId, Rejection } from '#kernel';
import { merchantAggregate, requestRound } from '#onboarding';
import {
  dailyLimitNow,
  listDailyLimits,
  type RefundIs,
  setDailyLimit,
  type SettleCall,
  type Settled,
  StuckCalls,
} from '#operations';
import { ONBOARDING_SAGA } from '#sagas';
import { auditedWork } from './audited-work.js';
import { reasonOf } from './command-line.js';
import { dailyLimit, modeOf, required, sagaRef, settledCall, USAGE } from './ops-arguments.js';
import {
  consoleUsers,
  createConsoleUser,
  resetConsoleUser,
  restoredConsole,
  unlockSignIns,
} from './ops-console-users.js';
import { allowAlone } from './two-people.js';

/** The log, and business time as the worker has it. */
export interface OpsBusiness {
  readonly store: EventStore;
  readonly clock: Clock;
}

export interface OpsParts {
  readonly pool: Pool;
  /** Who is at it: in the audit and in events, so it names nobody. */
  readonly origin: AuditOrigin;
  /** For what reads the provider: it needs SECRETS_KEY and PROVIDER_URL as the worker has them. */
  readonly settleCall: () => Promise<Pick<SettleCall, 'look' | 'apply'>>;
  readonly business: () => Promise<OpsBusiness>;
}

const table = (rows: readonly object[], none: string): string =>
  rows.length === 0 ? none : rows.map((row) => JSON.stringify(row)).join('\n');

const subjectOf = ({ saga, key }: SagaRef): Subject => ({
  type: saga === ONBOARDING_SAGA ? 'merchant' : 'order',
  id: key,
});

const historyPlans = async (pool: Pool): Promise<string> => {
  const plans = await new HistoryWatermarks(pool).plans(['test', 'live']);
  return table(
    [...plans].map(([mode, plan]) => ({ mode, ...plan })),
    'no history has been read',
  );
};

const told = ({ jobId, kind, paymentId, outcome, evidence }: Settled): string =>
  JSON.stringify({ jobId, kind, paymentId, outcome, evidence });

interface Why {
  readonly reason: string;
  readonly breaksGlass: boolean;
  /** For what takes two people in the console. */
  readonly alone: (of: Subject) => Promise<void>;
  /** Writes a change of rows down, in one transaction with it. */
  readonly audited: <T>(
    of: Subject,
    change: (client: PoolClient) => Promise<T>,
    detail?: Outcome,
  ) => Promise<T>;
  /** Writes a step down, before it and after: it is a transaction of its own. */
  readonly asked: <T>(
    of: Subject,
    detail: Outcome,
    step: () => Promise<{ outcome: Outcome; answer: T }>,
  ) => Promise<T>;
}

type Outcome = Readonly<Record<string, unknown>>;

const shown = async (
  { settleCall }: OpsParts,
  [id]: readonly string[],
  refundIs: RefundIs,
): Promise<string> => {
  const look = await (await settleCall()).look(required(id, 'the job id'), refundIs);
  return `${told(look)}\nnothing was recorded: add --apply`;
};

const settled = async (
  { pool, origin, settleCall }: OpsParts,
  [id]: readonly string[],
  { reason, asked, alone, refundIs }: Why & { readonly refundIs: RefundIs },
): Promise<string> => {
  const jobId = required(id, 'the job id');
  await requireOwnLog(pool);
  await alone({ type: 'job', id: jobId });
  return asked({ type: 'job', id: jobId }, { refundIs }, async () => {
    const order = { id: newId('act'), reason, actor: origin.actor, refundIs };
    const settlement = await (await settleCall()).apply(jobId, order);
    const { kind, paymentId, outcome } = settlement;
    return { outcome: { kind, paymentId, outcome }, answer: `${told(settlement)}\nrecorded` };
  });
};

const discarded = async (
  { pool, origin }: OpsParts,
  names: readonly string[],
  { reason, audited, alone }: Why,
): Promise<string> => {
  const [ref, stimulus] = [sagaRef(names), required(names[2], 'the stimulus')];
  await requireOwnLog(pool);
  await alone(subjectOf(ref));
  await audited(subjectOf(ref), (client) =>
    new WaitingSagas(pool).discard(client, { ref, stimulus, reason, actor: origin.actor }),
  );
  return `${ref.saga} of ${ref.key} does not react to ${stimulus}`;
};

const callAbsent = async (
  { pool, origin, business }: OpsParts,
  [id, callText]: readonly string[],
  { reason, asked }: Why,
): Promise<string> => {
  const merchantId = required(id, 'the merchant id');
  const call = settledCall(callText);
  await requireOwnLog(pool);
  return asked({ type: 'merchant', id: merchantId }, { call }, async () => {
    const { store, clock } = await business();
    const settlement = { merchantId, call, reason, actor: origin.actor };
    await settleAbsent({ pool, store }, settlement, clock.now());
    return { outcome: {}, answer: `${call} of ${merchantId} may be made again` };
  });
};

const mismatchesReviewed = async (
  { pool, origin, business }: OpsParts,
  [id]: readonly string[],
  { asked }: Why,
): Promise<string> => {
  const merchantId = required(id, 'the merchant id');
  await requireOwnLog(pool);
  return asked({ type: 'merchant', id: merchantId }, {}, async () => {
    const { store, clock } = await business();
    await store.execute(
      merchantAggregate,
      merchantId,
      { type: 'ReviewMismatches', at: clock.now() },
      { correlationId: merchantId, causationId: 'ops', actor: origin.actor, traceparent: null },
    );
    return { outcome: {}, answer: `what ${merchantId} has shown so far is looked into` };
  });
};

const polled = async (
  { business }: OpsParts,
  [text]: readonly string[],
  { audited }: Why,
): Promise<string> => {
  const mode = modeOf(text);
  const { clock } = await business();
  return audited({ type: 'history', id: mode }, async (client) => {
    if (await requestRound(client, mode, clock.now())) return `${mode} will be read at once`;
    throw new Rejection('not_read', `no worker has read ${mode} yet: has it the partner key?`);
  });
};

const limited = async (
  { pool }: OpsParts,
  words: readonly string[],
  { audited, alone }: Why,
): Promise<string> => {
  const limit = dailyLimit(words);
  const { holder, holderId, operation, unit, daily } = limit;
  const subject = { type: 'limit', id: `${holder}.${operation}.${unit}` };
  const before = await dailyLimitNow(pool, limit);
  await alone(subject);
  await audited(subject, (client) => setDailyLimit(client, limit), { ...limit, before });
  return `${subject.id} of ${holderId} is ${daily} a day, and was ${before}`;
};

/** What is written down of a command, named `ops.<action>`. */
const whyOf = (
  { pool, origin }: OpsParts,
  action: string,
  reason: string,
  breaksGlass: boolean,
): Why => ({
  reason,
  breaksGlass,
  alone: (subject) => allowAlone(pool, origin, { action, subject, reason, breaksGlass }),
  audited: (of, change, detail = {}) =>
    inTransaction(pool, async (client) => {
      const outcome = await change(client);
      await new Audit(pool).record(origin, { action, subject: of, reason, detail }, client);
      return outcome;
    }),
  asked: (of, detail, step) =>
    auditedWork(pool, origin, { action, subject: of, reason, detail }, step),
});

const OPTIONS = {
  reason: { type: 'string' },
  apply: { type: 'boolean' },
  others: { type: 'boolean' },
  role: { type: 'string' },
  'break-glass': { type: 'boolean' },
} as const;

/** Throws a `TypeError` that names an option that there is not. */
export const wordsOf = (args: readonly string[]) =>
  parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });

/** Carries one command out and answers what to print. @throws Rejection with the reason. */
export const runOps = async (parts: OpsParts, args: readonly string[]): Promise<string> => {
  const { pool } = parts;
  const { positionals, values } = wordsOf(args);
  const [subject, verb = 'list', ...rest] = positionals;
  const why = () =>
    whyOf(
      parts,
      `ops.${subject}_${verb}`,
      reasonOf(values.reason, USAGE),
      values['break-glass'] === true,
    );
  const waiting = new WaitingSagas(pool);
  const calls = new StuckCalls(pool);
  switch (`${subject} ${verb}`) {
    case 'calls list':
      return table(await calls.list(), 'no call is stuck');
    case 'calls release': {
      const jobId = required(rest[0], 'the job id');
      const { reason, audited } = why();
      await audited({ type: 'job', id: jobId }, (client) => calls.release(jobId, reason, client));
      return `${jobId} will be looked at again`;
    }
    case 'calls settle': {
      const refundIs = values.others === true ? 'others' : 'ours';
      if (values.apply !== true) return shown(parts, rest, refundIs);
      return settled(parts, rest, { ...why(), refundIs });
    }
    case 'reactions list':
      return table(await waiting.list(), 'every workflow could react');
    case 'reactions retry': {
      const ref = sagaRef(rest);
      await why().audited(subjectOf(ref), (client) => waiting.retry(ref, client));
      return `${ref.saga} of ${ref.key} will be retried`;
    }
    case 'reactions discard':
      return discarded(parts, rest, why());
    case 'history list':
      return historyPlans(pool);
    case 'history poll':
      return polled(parts, rest, why());
    case 'merchants list':
      return table(await new MerchantExceptions(pool).list(), 'no merchant waits for a person');
    case 'merchants absent':
      return callAbsent(parts, rest, why());
    case 'merchants reviewed':
      return mismatchesReviewed(parts, rest, why());
    case 'admin list':
      return table(await consoleUsers(pool).list(), 'there is no user: make an admin first');
    case 'admin create': {
      const user = { name: required(rest[0], 'the name'), role: required(values.role, '--role') };
      return createConsoleUser(pool, parts.origin, { ...user, ...why() });
    }
    case 'admin unlock':
      await why().audited({ type: 'sign_ins', id: 'all' }, (client) => unlockSignIns(pool, client));
      return 'everybody may try to sign in again';
    case 'admin reset': {
      const name = required(rest[0], 'the name');
      return resetConsoleUser(pool, parts.origin, { name, ...why() });
    }
    case 'limits list':
      return table(await listDailyLimits(pool), 'nothing is limited');
    case 'limits set':
      return limited(parts, rest, why());
    case 'console restored': {
      const { reason, audited } = why();
      return audited({ type: 'console', id: 'all' }, (client) =>
        restoredConsole(pool, client, parts.origin, reason),
      );
    }
    default:
      throw new Rejection('usage', USAGE);
  }
};
