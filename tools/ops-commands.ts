import type { Pool, PoolClient } from 'pg';
import { parseArgs } from 'node:util';
import { Audit, type Subject } from '../apps/admin/audit/audit.js';
import { holdsNoneOfAPerson } from '../apps/admin/shared/reason.dto.js';
import { HistoryWatermarks } from '../apps/worker/merchants/history-watermarks.js';
import { MerchantExceptions } from '../apps/worker/merchants/merchant-exceptions.js';
import { settleAbsent, SETTLED_CALLS } from '../apps/worker/merchants/settle-absent.js';
import { type EventStore, inTransaction, requireOwnLog } from '#event-store';
import { type Clock, newId, Rejection } from '#kernel';
import { isStreamType, ParkedKeys, type ParkedRef } from '#messaging';
import { merchantAggregate, type MerchantMode, requestRound } from '#onboarding';
import { type RefundIs, type SettleCall, type Settled, StuckCalls } from '#operations';
import {
  consoleUsers, createConsoleUser, resetConsoleUser, restoredConsole, unlockSignIns,
} from './ops-console-users.js';

const USAGE = `What only a person can decide (needs DATABASE_URL)

  npm run ops -- calls
  npm run ops -- calls release <job id> --reason "…"
  npm run ops -- calls settle <job id>                       what the provider shows of it
  npm run ops -- calls settle <job id> --apply --reason "…"  and records it
                                 --others                   a refund like it is somebody else's
  npm run ops -- parked
  npm run ops -- parked release <consumer> <stream type> <stream id> --reason "…"
  npm run ops -- parked skip <consumer> <stream type> <stream id> <version> --reason "…"
  npm run ops -- history                    how far the status history has been read
  npm run ops -- history poll test|live --reason "…"         reads it now
  npm run ops -- merchants                  who waits for a person
  npm run ops -- merchants absent <merchant id> create_company|order_terminal --reason "…"
  npm run ops -- merchants reviewed <merchant id> --reason "…"
                                            its contradictions are looked into
  npm run ops -- admin                                       the users of the console
  npm run ops -- admin create <name> --role viewer|operator|admin
  npm run ops -- admin reset <name>                          a new one-time password
  npm run ops -- admin unlock --reason "…"                   sign-ins that are limited go on
  npm run ops -- console restored --reason "…"               after a restore: ends what is open in it

Each change is in the audit, with its reason. docs/operations.md says when.`;

/** The log, and business time as the worker has it. */
export interface OpsBusiness {
  readonly store: EventStore;
  readonly clock: Clock;
}

export interface OpsParts {
  readonly pool: Pool;
  /** Who is at it, as `ops:<…>`: in the audit and in events, so it names nobody. */
  readonly actor: string;
  /** For what reads the provider: it needs SECRETS_KEY and PROVIDER_URL as the worker has them. */
  readonly settleCall: () => Promise<Pick<SettleCall, 'look' | 'apply'>>;
  readonly business: () => Promise<OpsBusiness>;
}

const required = (value: string | undefined, what: string): string => {
  const text = value?.trim() ?? '';
  if (text === '') throw new Rejection('usage', `${what} is missing\n\n${USAGE}`);
  return text;
};

/** Kept for ever. */
const reasonOf = (text: string | undefined): string => {
  const reason = required(text, '--reason');
  if (holdsNoneOfAPerson(reason)) return reason;
  throw new Rejection('usage', '--reason holds an address, an account, a card or a key: leave it out');
};

const table = (rows: readonly object[], none: string): string =>
  rows.length === 0 ? none : rows.map((row) => JSON.stringify(row)).join('\n');

const parkedRef = ([consumer, streamType, streamId]: readonly string[]): ParkedRef => {
  const type = required(streamType, 'the stream type');
  if (!isStreamType(type)) throw new Rejection('usage', `'${type}' is no stream type\n\n${USAGE}`);
  return {
    consumer: required(consumer, 'the consumer'), streamType: type,
    streamId: required(streamId, 'the stream id'),
  };
};

const streamOf = ({ streamType, streamId }: ParkedRef): Subject =>
  ({ type: streamType, id: streamId });

const versionOf = (text: string | undefined): number => {
  const digits = required(text, 'the version');
  if (/^[1-9]\d{0,8}$/.test(digits)) return Number(digits);
  throw new Rejection('usage', `'${digits}' is no version\n\n${USAGE}`);
};

const modeOf = (text: string | undefined): MerchantMode => {
  if (text === 'test' || text === 'live') return text;
  throw new Rejection('usage', `the mode is test or live\n\n${USAGE}`);
};

const settledCall = (text: string | undefined): (typeof SETTLED_CALLS)[number] => {
  const call = SETTLED_CALLS.find((known) => known === text);
  if (call !== undefined) return call;
  throw new Rejection('usage', `the call is ${SETTLED_CALLS.join(' or ')}\n\n${USAGE}`);
};

const historyPlans = async (pool: Pool): Promise<string> => {
  const plans = await new HistoryWatermarks(pool).plans(['test', 'live']);
  return table([...plans].map(([mode, plan]) => ({ mode, ...plan })), 'no history has been read');
};

const told = ({ jobId, kind, paymentId, outcome, evidence }: Settled): string =>
  JSON.stringify({ jobId, kind, paymentId, outcome, evidence });

/** Writes a change down, in one transaction with it where it is one of rows. */
type Audited = <T = void>(
  of: Subject, change?: (client: PoolClient) => Promise<T>,
) => Promise<T | undefined>;

interface Why {
  readonly reason: string;
  readonly audited: Audited;
}

const shown = async (
  { settleCall }: OpsParts, [id]: readonly string[], refundIs: RefundIs,
): Promise<string> => {
  const look = await (await settleCall()).look(required(id, 'the job id'), refundIs);
  return `${told(look)}\nnothing was recorded: add --apply`;
};

const settled = async (
  { pool, actor, settleCall }: OpsParts, [id]: readonly string[],
  { reason, audited, refundIs }: Why & { readonly refundIs: RefundIs },
): Promise<string> => {
  const jobId = required(id, 'the job id');
  await requireOwnLog(pool);
  await audited({ type: 'job', id: jobId });
  const order = { id: newId('act'), reason, actor, refundIs };
  const settlement = await (await settleCall()).apply(jobId, order);
  return `${told(settlement)}\nrecorded`;
};

const skipped = async (
  { pool, actor }: OpsParts, names: readonly string[], { reason, audited }: Why,
): Promise<string> => {
  const [ref, version] = [parkedRef(names), versionOf(names[3])];
  await requireOwnLog(pool);
  await audited(streamOf(ref), (client) =>
    new ParkedKeys(pool).skip(client, { ref, version, reason, actor }));
  return `${ref.consumer} goes on after version ${version} of ${ref.streamType} ${ref.streamId}`;
};

const callAbsent = async (
  { pool, actor, business }: OpsParts, [id, callText]: readonly string[],
  { reason, audited }: Why,
): Promise<string> => {
  const merchantId = required(id, 'the merchant id');
  const settlement = { merchantId, call: settledCall(callText), reason, actor };
  await requireOwnLog(pool);
  await audited({ type: 'merchant', id: merchantId });
  const { store, clock } = await business();
  await settleAbsent({ pool, store }, settlement, clock.now());
  return `${settlement.call} of ${merchantId} may be made again`;
};

const mismatchesReviewed = async (
  { pool, actor, business }: OpsParts, [id]: readonly string[],
  { audited }: Pick<Why, 'audited'>,
): Promise<string> => {
  const merchantId = required(id, 'the merchant id');
  await requireOwnLog(pool);
  await audited({ type: 'merchant', id: merchantId });
  const { store, clock } = await business();
  await store.execute(
    merchantAggregate, merchantId, { type: 'ReviewMismatches', at: clock.now() },
    { correlationId: merchantId, causationId: 'ops', actor, traceparent: null },
  );
  return `what ${merchantId} has shown so far is looked into`;
};

const OPTIONS = {
  reason: { type: 'string' }, apply: { type: 'boolean' }, others: { type: 'boolean' },
  role: { type: 'string' },
} as const;

/** Carries one command out and answers what to print. @throws Rejection with the reason. */
export const runOps = async (parts: OpsParts, args: readonly string[]): Promise<string> => {
  const { pool, actor, business } = parts;
  const { positionals, values } = parseArgs({
    args: [...args], allowPositionals: true,
    options: OPTIONS,
  });
  const [subject, verb = 'list', ...rest] = positionals;
  const reason = () => reasonOf(values.reason);
  /** A step is a transaction of its own: what is asked of it is written down before. */
  const audited: Audited = async (of, change) => {
    const entry = { action: `ops.${subject}_${verb}`, subject: of, reason: reason() };
    return inTransaction(pool, async (client) => {
      const outcome = await change?.(client);
      await new Audit(pool).record({ actor, requestId: 'ops' }, entry, client);
      return outcome;
    });
  };
  const parkedKeys = new ParkedKeys(pool);
  const calls = new StuckCalls(pool);
  switch (`${subject} ${verb}`) {
    case 'calls list':
      return table(await calls.list(), 'no call is stuck');
    case 'calls release': {
      const jobId = required(rest[0], 'the job id');
      const why = reason();
      await audited({ type: 'job', id: jobId }, (client) => calls.release(jobId, why, client));
      return `${jobId} will be looked at again`;
    }
    case 'calls settle': {
      const refundIs = values.others === true ? 'others' : 'ours';
      if (values.apply !== true) return shown(parts, rest, refundIs);
      return settled(parts, rest, { reason: reason(), audited, refundIs });
    }
    case 'parked list':
      return table(await parkedKeys.list(), 'nothing is parked');
    case 'parked release': {
      const ref = parkedRef(rest);
      await audited(streamOf(ref), (client) => parkedKeys.requestRelease(ref, client));
      return `${ref.consumer} will try ${ref.streamType} ${ref.streamId} again`;
    }
    case 'parked skip':
      return skipped(parts, rest, { reason: reason(), audited });
    case 'history list':
      return historyPlans(pool);
    case 'history poll': {
      const mode = modeOf(rest[0]);
      await audited({ type: 'history', id: mode });
      const { clock } = await business();
      if (await requestRound(pool, mode, clock.now())) return `${mode} will be read at once`;
      throw new Rejection('not_read', `no worker has read ${mode} yet: has it the partner key?`);
    }
    case 'merchants list':
      return table(await new MerchantExceptions(pool).list(), 'no merchant waits for a person');
    case 'merchants absent':
      return callAbsent(parts, rest, { reason: reason(), audited });
    case 'merchants reviewed':
      return mismatchesReviewed(parts, rest, { audited });
    case 'admin list':
      return table(await consoleUsers(pool).list(), 'there is no user: make an admin first');
    case 'admin create':
      return createConsoleUser(pool, actor, required(rest[0], 'the name'), required(values.role, '--role'));
    case 'admin unlock':
      await audited({ type: 'sign_ins', id: 'all' }, (client) => unlockSignIns(pool, client));
      return 'everybody may try to sign in again';
    case 'admin reset':
      return resetConsoleUser(pool, actor, required(rest[0], 'the name'));
    case 'console restored': {
      const why = reason();
      return await audited({ type: 'console', id: 'all' }, (client) =>
        restoredConsole(pool, client, { actor, requestId: 'ops' }, why)) ?? '';
    }
    default:
      throw new Rejection('usage', USAGE);
  }
};
