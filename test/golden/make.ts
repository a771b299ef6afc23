import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '#kernel';
import { NO_FAULTS } from '../simulation/faults.js';
import { Simulation } from '../simulation/simulation.js';
import { type GoldenHistory, readHistory } from './history.js';
import { GOLDEN_KINDS, type GoldenKind } from './kinds.js';
import type { GoldenEvent } from './stream-history.js';

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
