import type { ClientBase } from 'pg';
import { onServer } from '../infra/databases.mjs';
import type { Stack } from '../stack/stack.js';
import { resolveStuckRefunds } from '../stack/stuck-refunds.js';
import { countsOf } from './figures.js';
import type { Refunds } from './refunds.js';
import { openWork } from './rest.js';

/** A saga that still had a failed reaction when the faults ended. */
export interface WaitingReaction {
  readonly key: string;
  readonly attempts: number;
  readonly error: string;
}

/** The work that was broken when the faults ended, and the repairs by an operator. */
export interface RepairFacts {
  readonly waiting: readonly WaitingReaction[];
  /** How many refunds the operator resolved, because their result was unknown. */
  readonly resolved: number;
  /** How many of these refunds the provider had made, so that no operator was needed. */
  readonly shown: number;
  /** How many of these refunds the provider had not made, so that they were requested again. */
  readonly requestedAgain: number;
}

/** The facts at the end of the faults, before any repair. */
export type BeforeRepair = Pick<RepairFacts, 'waiting'>;

const WAITING = `
  SELECT key, (waiting ->> 'attempts')::int AS attempts, waiting ->> 'error' AS error
    FROM sagas WHERE waiting IS NOT NULL`;

/** Selects the refund requests that an operator marked as not executed by the provider. */
const NOT_MADE = `
  SELECT data ->> 'requestId' AS id FROM events
   WHERE type = 'RefundRejected' AND metadata ->> 'actor' LIKE 'ops:%'`;

const notMade = async (client: Pick<ClientBase, 'query'>): Promise<readonly string[]> =>
  (await client.query<{ id: string }>(NOT_MADE)).rows.map(({ id }) => id);

/** Reads and prints the work that is open when the faults end. */
export const beforeRepair = ({ databases }: Stack, say: (line: string) => void) =>
  onServer(databases.orchestrator, async (client): Promise<BeforeRepair> => {
    const { rows: waiting } = await client.query<WaitingReaction>(WAITING);
    say(`  open when the faults end: ${countsOf(Object.entries(await openWork(client)))}`);
    return { waiting };
  });

/**
 * Repairs refunds with an unknown result, as an operator does: resolves each of them, and requests
 * again those that the provider has not made.
 */
export const repairRefunds = async (
  stack: Stack,
  refunds: Refunds,
  say: (line: string) => void,
): Promise<Omit<RepairFacts, 'waiting'>> => {
  const before = await onServer(stack.databases.orchestrator, notMade);
  const resolved = await resolveStuckRefunds(stack);
  const settled = await onServer(stack.databases.orchestrator, notMade);
  const shown = resolved - (settled.length - before.length);
  const requestedAgain = await refunds.requestAgain(settled);
  say(`  refunds: ${resolved} resolved by the operator, ${requestedAgain} requested again`);
  return { resolved, shown, requestedAgain };
};
