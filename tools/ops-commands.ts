import type { Pool } from 'pg';
import { parseArgs } from 'node:util';
import type { SettleCall, Settlement } from '../apps/worker/effects/settle-call.js';
import { requireOwnLog } from '#event-store';
import { Rejection } from '#kernel';
import { isStreamType, ParkedKeys, type ParkedRef } from '#messaging';
import { StuckCalls } from '#operations';

const USAGE = `What only a person can decide (needs DATABASE_URL)

  npm run ops -- calls
  npm run ops -- calls release <job id> --reason "…"
  npm run ops -- calls settle <job id>                       what the provider shows of it
  npm run ops -- calls settle <job id> --apply --reason "…"  and records it
  npm run ops -- parked
  npm run ops -- parked release <consumer> <stream type> <stream id>
  npm run ops -- parked skip <consumer> <stream type> <stream id> --reason "…"

docs/operations.md says when.`;

export interface OpsParts {
  readonly pool: Pool;
  /** Who is at it, as `user:<id>`: kept with a skip. */
  readonly actor: string;
  /** For what reads the provider: it needs SECRETS_KEY and PROVIDER_URL as the worker has them. */
  readonly settleCall: () => Promise<Pick<SettleCall, 'look' | 'apply'>>;
}

const required = (value: string | undefined, what: string): string => {
  const text = value?.trim() ?? '';
  if (text === '') throw new Rejection('usage', `${what} is missing\n\n${USAGE}`);
  return text;
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

const told = ({ jobId, kind, paymentId, outcome, evidence }: Settlement): string =>
  JSON.stringify({ jobId, kind, paymentId, outcome, evidence });

/** Carries one command out and answers what to print. @throws Rejection with the reason. */
export const runOps = async (
  { pool, actor, settleCall }: OpsParts, args: readonly string[],
): Promise<string> => {
  const { positionals, values } = parseArgs({
    args: [...args], allowPositionals: true,
    options: { reason: { type: 'string' }, apply: { type: 'boolean' } },
  });
  const [subject, verb = 'list', ...rest] = positionals;
  const reason = () => required(values.reason, '--reason');
  const parkedKeys = new ParkedKeys(pool);
  const calls = new StuckCalls(pool);
  switch (`${subject} ${verb}`) {
    case 'calls list':
      return table(await calls.list(), 'no call is stuck');
    case 'calls release': {
      const jobId = required(rest[0], 'the job id');
      await calls.release(jobId, reason());
      return `${jobId} will be looked at again`;
    }
    case 'calls settle': {
      const jobId = required(rest[0], 'the job id');
      if (values.apply !== true) {
        return `${told(await (await settleCall()).look(jobId))}\nnothing was recorded: add --apply`;
      }
      const why = reason();
      await requireOwnLog(pool);
      return `${told(await (await settleCall()).apply(jobId, why, actor))}\nrecorded`;
    }
    case 'parked list':
      return table(await parkedKeys.list(), 'nothing is parked');
    case 'parked release': {
      const ref = parkedRef(rest);
      await parkedKeys.requestRelease(ref);
      return `${ref.consumer} will try ${ref.streamType} ${ref.streamId} again`;
    }
    case 'parked skip': {
      const ref = parkedRef(rest);
      const why = reason();
      await requireOwnLog(pool);
      await parkedKeys.skip(ref, why, actor);
      return `${ref.consumer} goes on after the message of ${ref.streamType} ${ref.streamId}`;
    }
    default:
      throw new Rejection('usage', USAGE);
  }
};
