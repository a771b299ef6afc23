import type { Pool, PoolClient } from 'pg';
import { parseArgs } from 'node:util';
import { HistoryWatermarks } from '../apps/worker/merchants/history-watermarks.js';
import { MerchantExceptions } from '../apps/worker/merchants/merchant-exceptions.js';
import { resolveAbsent } from '../apps/worker/merchants/resolve-absent.js';
import { type EventStore, inTransaction, requireOwnLog, type SagaRef, WaitingSagas } from '#log';
import { type Clock, newId, Rejection } from '#kernel';
import { merchantAggregate, requestRound } from '#onboarding';
import {
  dailyLimitNow,
  listDailyLimits,
  type RefundIs,
  setDailyLimit,
  type ResolveResult,
  type Resolved,
  StuckCalls,
  type AuditOrigin,
  type AuditSubject as Subject,
  recordAudit,
} from '#operations';
import { ONBOARDING_SAGA } from '#sagas';
import { auditedWork } from './audited-work.js';
import { reasonOf } from './command-line.js';
import {
  auditActionOf,
  dailyLimit,
  modeOf,
  required,
  sagaRef,
  resolvedCall,
  USAGE,
} from './ops-arguments.js';
import {
  consoleUsers,
  createConsoleUser,
  resetConsoleUser,
  resetSecondFactor,
  restoredConsole,
  unlockSignIns,
} from './ops-console-users.js';
import { allowAlone } from './two-people.js';

/** The event store, and the clock of business time that the worker also uses. */
export interface OpsBusiness {
  readonly store: EventStore;
  readonly clock: Clock;
}

export interface OpsParts {
  readonly pool: Pool;
  /**
   * The operator's pseudonym. Audit and events contain it instead of the name, because they are
   * stored permanently.
   */
  readonly origin: AuditOrigin;
  /**
   * Opens the object that resolves unknown results by reads of the provider. It needs the worker's
   * settings SECRETS_KEY and PROVIDER_URL.
   */
  readonly resolveResult: () => Promise<Pick<ResolveResult, 'preview' | 'apply'>>;
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
    'no status history has been polled yet',
  );
};

const resolutionText = ({ jobId, kind, paymentId, outcome, evidence }: Resolved): string =>
  JSON.stringify({ jobId, kind, paymentId, outcome, evidence });

interface Why {
  readonly reason: string;
  readonly breaksGlass: boolean;
  /**
   * Throws unless one person may execute the action alone on the command line, without a second
   * person who approves it in the console.
   */
  readonly alone: (of: Subject) => Promise<void>;
  /**
   * Executes a change that writes rows directly, without events, and audits the change in the same
   * transaction.
   */
  readonly audited: <T>(
    of: Subject,
    change: (client: PoolClient) => Promise<T>,
    detail?: Outcome,
  ) => Promise<T>;
  /**
   * Executes a step, with one audit entry before and one after the step, because the step commits
   * in its own transaction.
   */
  readonly auditedStep: <T>(
    of: Subject,
    detail: Outcome,
    step: () => Promise<{ outcome: Outcome; answer: T }>,
  ) => Promise<T>;
}

type Outcome = Readonly<Record<string, unknown>>;

const preview = async (
  { resolveResult }: OpsParts,
  [id]: readonly string[],
  refundIs: RefundIs,
): Promise<string> => {
  const order = { id: newId('act'), refundIs };
  const found = await (await resolveResult()).preview(required(id, 'the job id'), order);
  return `${resolutionText(found)}\nThis is a preview: nothing was recorded. Add --apply to record this result.`;
};

const resolved = async (
  { pool, origin, resolveResult }: OpsParts,
  [id]: readonly string[],
  { reason, auditedStep, alone, refundIs }: Why & { readonly refundIs: RefundIs },
): Promise<string> => {
  const jobId = required(id, 'the job id');
  await requireOwnLog(pool);
  await alone({ type: 'job', id: jobId });
  return auditedStep({ type: 'job', id: jobId }, { refundIs }, async () => {
    const order = { id: newId('act'), reason, actor: origin.actor, refundIs };
    const resolution = await (await resolveResult()).apply(jobId, order);
    const { kind, paymentId, outcome } = resolution;
    return {
      outcome: { kind, paymentId, outcome },
      answer: `${resolutionText(resolution)}\nrecorded`,
    };
  });
};

const discarded = async (
  { pool, origin }: OpsParts,
  names: readonly string[],
  { reason, audited, alone }: Why,
): Promise<string> => {
  const [ref, stimulus] = [sagaRef(names), required(names[2], 'the event id')];
  await requireOwnLog(pool);
  await alone(subjectOf(ref));
  await audited(subjectOf(ref), (client) =>
    new WaitingSagas(pool).discard(client, { ref, stimulus, reason, actor: origin.actor }),
  );
  return `the workflow ${ref.saga} of ${ref.key} continues without the event ${stimulus}`;
};

const callAbsent = async (
  { pool, origin, business }: OpsParts,
  [id, callText]: readonly string[],
  { reason, auditedStep }: Why,
): Promise<string> => {
  const merchantId = required(id, 'the merchant id');
  const call = resolvedCall(callText);
  await requireOwnLog(pool);
  return auditedStep({ type: 'merchant', id: merchantId }, { call }, async () => {
    const { store, clock } = await business();
    const resolution = { merchantId, call, reason, actor: origin.actor };
    await resolveAbsent({ pool, store }, resolution, clock.now());
    return { outcome: {}, answer: `the request ${call} of ${merchantId} had no effect` };
  });
};

const mismatchesReviewed = async (
  { pool, origin, business }: OpsParts,
  [id]: readonly string[],
  { auditedStep, alone }: Why,
): Promise<string> => {
  const merchantId = required(id, 'the merchant id');
  await requireOwnLog(pool);
  await alone({ type: 'merchant', id: merchantId });
  return auditedStep({ type: 'merchant', id: merchantId }, {}, async () => {
    const { store, clock } = await business();
    const review = { type: 'ReviewMismatches', at: clock.now() } as const;
    const by = { correlationId: merchantId, causationId: 'ops', actor: origin.actor };
    await store.execute(merchantAggregate, merchantId, review, { ...by, traceparent: null });
    return { outcome: {}, answer: `the status mismatches of ${merchantId} are reviewed` };
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
    if (await requestRound(client, mode, clock.now()))
      return `the status history in ${mode} mode will be polled immediately`;
    throw new Rejection(
      'not_read',
      `no worker has polled the status history in ${mode} mode yet: check that a worker has the partner key for this mode`,
    );
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
  return `the daily limit ${subject.id} of ${holderId} is ${daily}; it was ${before}`;
};

/**
 * The command's reason, and functions that check and audit the command as the action
 * `ops.<action>`.
 */
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
      await recordAudit(client, origin, { action, subject: of, reason, detail });
      return outcome;
    }),
  auditedStep: (of, detail, step) =>
    auditedWork(pool, origin, { action, subject: of, reason, detail }, step),
});

const OPTIONS = {
  reason: { type: 'string' },
  apply: { type: 'boolean' },
  'not-ours': { type: 'boolean' },
  role: { type: 'string' },
  'break-glass': { type: 'boolean' },
} as const;

/** Parses the arguments; throws a `TypeError` that names an unknown option. */
export const wordsOf = (args: readonly string[]) =>
  parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });

type Values = ReturnType<typeof wordsOf>['values'];

interface Call {
  readonly parts: OpsParts;
  /** The positional arguments after the command's name. */
  readonly rest: readonly string[];
  readonly values: Values;
  /** Reads `--reason`, which every change requires. */
  readonly why: () => Why;
}

type Command = (call: Call) => Promise<string>;

const REQUEST_COMMANDS: Readonly<Record<string, Command>> = {
  'requests list': async ({ parts: { pool } }) =>
    table(await new StuckCalls(pool).list(), 'no provider request has failed'),
  'requests retry': async ({ parts: { pool }, rest, why }) => {
    const jobId = required(rest[0], 'the job id');
    const { reason, audited } = why();
    await audited({ type: 'job', id: jobId }, (client) =>
      new StuckCalls(pool).release(jobId, reason, client),
    );
    return `the request ${jobId} will be sent again`;
  },
  'requests resolve': ({ parts, rest, values, why }) => {
    const refundIs = values['not-ours'] === true ? 'others' : 'ours';
    if (values.apply !== true) return preview(parts, rest, refundIs);
    return resolved(parts, rest, { ...why(), refundIs });
  },
};

const WORKFLOW_COMMANDS: Readonly<Record<string, Command>> = {
  'workflows list': async ({ parts: { pool } }) =>
    table(await new WaitingSagas(pool).list(), 'no workflow is blocked'),
  'workflows retry': async ({ parts: { pool }, rest, why }) => {
    const ref = sagaRef(rest);
    await why().audited(subjectOf(ref), (client) => new WaitingSagas(pool).retry(ref, client));
    return `the workflow ${ref.saga} of ${ref.key} will be retried`;
  },
  'workflows discard': ({ parts, rest, why }) => discarded(parts, rest, why()),
};

const MERCHANT_COMMANDS: Readonly<Record<string, Command>> = {
  'status-history list': ({ parts }) => historyPlans(parts.pool),
  'status-history poll': ({ parts, rest, why }) => polled(parts, rest, why()),
  'merchants list': async ({ parts: { pool } }) =>
    table(await new MerchantExceptions(pool).list(), 'no merchant needs attention'),
  'merchants confirm-absent': ({ parts, rest, why }) => callAbsent(parts, rest, why()),
  'merchants review-mismatches': ({ parts, rest, why }) => mismatchesReviewed(parts, rest, why()),
};

const CONSOLE_COMMANDS: Readonly<Record<string, Command>> = {
  'users list': async ({ parts: { pool } }) =>
    table(await consoleUsers(pool).list(), 'there is no user yet: create two admins'),
  'users create': ({ parts: { pool, origin }, rest, values, why }) => {
    const user = { name: required(rest[0], 'the name'), role: required(values.role, '--role') };
    return createConsoleUser(pool, origin, { ...user, ...why() });
  },
  'users unlock-sign-ins': async ({ parts: { pool }, why }) => {
    await why().audited({ type: 'sign_ins', id: 'all' }, (client) => unlockSignIns(pool, client));
    return 'all users can sign in again';
  },
  'users reset-password': ({ parts: { pool, origin }, rest, why }) =>
    resetConsoleUser(pool, origin, { name: required(rest[0], 'the name'), ...why() }),
  'users reset-second-factor': ({ parts: { pool, origin }, rest, why }) =>
    resetSecondFactor(pool, origin, { name: required(rest[0], 'the name'), ...why() }),
  'console reset-after-restore': ({ parts: { pool, origin }, why }) => {
    const { reason, audited } = why();
    return audited({ type: 'console', id: 'all' }, (client) =>
      restoredConsole(pool, client, origin, reason),
    );
  },
  'limits list': async ({ parts: { pool } }) =>
    table(await listDailyLimits(pool), 'there are no daily limits'),
  'limits set': ({ parts, rest, why }) => limited(parts, rest, why()),
};

const COMMANDS = new Map(
  Object.entries({
    ...REQUEST_COMMANDS,
    ...WORKFLOW_COMMANDS,
    ...MERCHANT_COMMANDS,
    ...CONSOLE_COMMANDS,
  }),
);

/** Executes one command and returns the text to print. @throws Rejection with the reason. */
export const runOps = async (parts: OpsParts, args: readonly string[]): Promise<string> => {
  const { positionals, values } = wordsOf(args);
  const [subject, verb = 'list', ...rest] = positionals;
  const command = COMMANDS.get(`${subject} ${verb}`);
  if (command === undefined) throw new Rejection('usage', USAGE);
  const why = () =>
    whyOf(
      parts,
      auditActionOf(`${subject} ${verb}`),
      reasonOf(values.reason, USAGE),
      values['break-glass'] === true,
    );
  return command({ parts, rest, values, why });
};
