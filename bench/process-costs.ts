import { readdirSync, readFileSync } from 'node:fs';
import type { Pool } from 'pg';

/** CPU seconds by the name of a process, or of a part of PostgreSQL. */
export type CpuByName = Readonly<Record<string, number>>;

const TICKS_PER_SECOND = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // The process has ended, so its CPU time can no longer be read.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
};

/** CPU seconds that a process has used so far, without its children. */
export const cpuSeconds = (pid: number): number => {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;
};

export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;

/** The CPU seconds that all programs on this machine have used so far. */
export const machineSeconds = (): number => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = (
    read('/proc/stat').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq) / TICKS_PER_SECOND;
};

/** The process ids of the embedded Kafka, if it runs on this machine. */
const kafkaPids = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes('kafka.Kafka\0'));

/**
 * Selects the server's processes: the sessions of each kind of database, and the background
 * processes (`sharedPostgres`), which write the WAL and the pages of all databases.
 */
const SESSIONS = `
  SELECT pid, CASE WHEN datname LIKE 'orchestrator%' THEN 'postgres'
                   WHEN datname LIKE 'sandbox%' THEN 'sandboxPostgres'
                   WHEN datname LIKE 'floor%' THEN 'floorPostgres'
                   ELSE 'sharedPostgres' END AS part FROM pg_stat_activity`;

/**
 * The CPU seconds used so far by the given processes, by PostgreSQL (for each database), by Kafka
 * and by this process, which acts as the payers.
 */
export const cpuByName = async (
  pids: Readonly<Record<string, number | undefined>>,
  pool: Pool,
): Promise<CpuByName> => {
  const { rows } = await pool.query<{ pid: number; part: string }>(SESSIONS);
  const used: Record<string, number> = {};
  for (const [name, pid] of Object.entries(pids))
    used[name] = pid === undefined ? 0 : cpuSeconds(pid);
  for (const { pid, part } of rows) used[part] = (used[part] ?? 0) + cpuSeconds(pid);
  used['kafka'] = kafkaPids().reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const { user, system } = process.cpuUsage();
  used['payers'] = (user + system) / 1e6;
  return used;
};

/** The CPU seconds used between two readings, without processes that ended between the readings. */
export const usedBetween = (before: CpuByName, after: CpuByName): CpuByName =>
  Object.fromEntries(
    Object.entries(after).map(([name, seconds]) => [
      name,
      Math.max(0, seconds - (before[name] ?? 0)),
    ]),
  );

export const sumOf = (used: CpuByName): number =>
  Object.values(used).reduce((sum, seconds) => sum + seconds, 0);
