import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { assert } from '#kernel';
import { NO_FAULTS } from '../simulation/faults.js';
import { Simulation } from '../simulation/simulation.js';
import { type GoldenHistory, readHistory } from './history.js';
import { GOLDEN_KINDS, type GoldenKind } from './kinds.js';
import type { GoldenEvent } from './stream-history.js';
import { type GoldenWorkflow, replayWorkflow } from './workflow.js';

const SEED = 20;

/** Replaces each random id by a number, in the order of first appearance in the file. */
const named = (text: string): string => {
  const names = new Map<string, string>();
  return text.replaceAll(/\b(ord|pay|cap)_[A-Za-z0-9]{24}\b/g, (id, prefix: string) => {
    const known = names.get(id) ?? `${prefix}_${String(names.size + 1).padStart(24, '0')}`;
    names.set(id, known);
    return known;
  });
};

const make = async ({ name, plan, faults }: GoldenKind): Promise<GoldenHistory> => {
  const simulation = new Simulation({
    seed: SEED,
    script: [plan],
    rates: { ...NO_FAULTS, provider: faults },
  });
  const violations = await simulation.run();
  assert(violations.length === 0, `${name} holds: ${violations.join()}`);
  const recorded = simulation.database.events.map((row) => ({
    streamType: row.stream_type,
    streamId: row.stream_id,
    type: row.type,
    schemaVersion: row.schema_version,
    data: row.data,
  }));
  const events = JSON.parse(named(JSON.stringify(recorded))) as readonly GoldenEvent[];
  return { kind: name, events, reading: readHistory(events) };
};

/**
 * Creates the missing files and returns their kinds. It replaces no existing file, because such a
 * file proves that the events of an earlier release can be read. Delete a file to create it again.
 */
export const makeGoldenHistories = async (folder: string): Promise<readonly string[]> => {
  mkdirSync(folder, { recursive: true });
  const fileOf = ({ name }: GoldenKind): string => join(folder, `${name}.json`);
  const wanted = GOLDEN_KINDS.filter((kind) => !existsSync(fileOf(kind)));
  for (const kind of wanted) {
    writeFileSync(fileOf(kind), `${JSON.stringify(await make(kind), null, 1)}\n`);
  }
  return wanted.map(({ name }) => name);
};

/** The histories whose workflows are stored: together they reach every status of a workflow. */
const FOLLOWED = [
  'histories/card-automatic.json',
  'histories/card-delayed.json',
  'histories/card-refused-then-paid.json',
  'histories/cancelled-after-authorization.json',
  'histories/authorization-expired.json',
  'histories/expired-unpaid.json',
  'histories/intent-refused.json',
  'histories/capture-with-id-by-platform.json',
  'histories/charged-back-and-won.json',
  'histories/debit-returned-after-capture.json',
  'histories/unknown-outcomes.json',
  'streams/merchant-opened-and-closed.json',
  'streams/merchant-never-created.json',
] as const;

/**
 * Creates the missing files of workflows from `folder`/histories and `folder`/streams, and returns
 * their names. It replaces no existing file, because such a file proves that a state which an
 * earlier release saved can be continued.
 */
export const makeGoldenWorkflows = async (folder: string): Promise<readonly string[]> => {
  mkdirSync(join(folder, 'workflows'), { recursive: true });
  const made: string[] = [];
  for (const history of FOLLOWED) {
    const file = join(folder, 'workflows', basename(history));
    if (existsSync(file)) continue;
    const text = readFileSync(join(folder, history), 'utf8');
    const { events } = JSON.parse(text) as { readonly events: readonly GoldenEvent[] };
    const { saved, reactions } = await replayWorkflow(events);
    const workflow: GoldenWorkflow = { history, saved, reactions };
    writeFileSync(file, `${JSON.stringify(workflow, null, 1)}\n`);
    made.push(basename(file, '.json'));
  }
  return made;
};
