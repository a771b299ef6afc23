import { benchClearing } from './sandbox-clearing.js';
import { benchLists, FLOOR_MS } from './sandbox-lists.js';
import { benchLoad, type CallFigures, type LoadServers } from './sandbox-load.js';
import type { CpuSeconds } from './sandbox-process.js';

export type SandboxPart = 'S1' | 'S2' | 'S3';

type Say = (text: string) => void;

const ms = (value: number): string => `${value.toFixed(1)} ms`;
const whole = (value: number): string => Math.round(value).toLocaleString('en');

const line = (name: string, { p50Ms, p95Ms, p99Ms, count }: CallFigures): string =>
  `     ${name.padEnd(28)} p50 ${ms(p50Ms).padStart(8)}   p95 ${ms(p95Ms).padStart(8)}   ` +
  `p99 ${ms(p99Ms).padStart(8)}   ${whole(count)} calls`;

const cpuText = ({ sandbox, postgres }: CpuSeconds): string =>
  `CPU: sandbox ${sandbox.toFixed(1)} s, PostgreSQL ${postgres.toFixed(1)} s`;

const load = async (servers: LoadServers, say: Say): Promise<unknown> => {
  const figures = await benchLoad(servers);
  say(
    `${'S1 sandbox API, 200 calls/s, p95'.padEnd(44)} ${ms(figures.p95Ms)} (goal ≤ 20 ms)   ` +
      `p50 ${ms(figures.p50Ms)}, p99 ${ms(figures.p99Ms)}, ${whole(figures.webhooks)} webhooks; ` +
      cpuText(figures.cpu),
  );
  for (const [name, call] of Object.entries(figures.calls)) say(line(name, call));
  return { p95Ms: figures.p95Ms, p50Ms: figures.p50Ms, p99Ms: figures.p99Ms };
};

const lists = async (servers: LoadServers, say: Say): Promise<unknown> => {
  const figures = await benchLists(servers);
  const [worst] = figures;
  say(
    `${'S2 lists with full / with small tables'.padEnd(44)} ${worst?.ratio.toFixed(2)} ` +
      `(goal ≤ 2)   the worst of ${figures.length} lists; shorter times count as ${FLOOR_MS} ms`,
  );
  for (const { name, page, fullMs, emptyMs, ratio } of figures.slice(0, 12)) {
    say(
      `     ${ratio.toFixed(2).padStart(6)}   ${ms(fullMs).padStart(9)} against ` +
        `${ms(emptyMs).padStart(8)}   page ${String(page).padStart(2)} of ${name}`,
    );
  }
  return { ratio: worst?.ratio, list: worst?.name };
};

const clearing = async (servers: LoadServers, say: Say): Promise<unknown> => {
  const { payments, seconds, perSecond, cpu } = await benchClearing(servers);
  say(
    `${'S3 one advance over a clearing'.padEnd(44)} ${seconds.toFixed(1)} s   ` +
      `${whole(payments)} payments, ${whole(perSecond)}/s; ` +
      cpuText(cpu),
  );
  return { seconds, perSecond, cpu };
};

const PARTS = { S1: load, S2: lists, S3: clearing } as const;

/** Runs one bench of the sandbox; prints the figures and returns them for the JSON file. */
export const benchSandbox = (part: SandboxPart, servers: LoadServers, say: Say): Promise<unknown> =>
  PARTS[part](servers, say);
