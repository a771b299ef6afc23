import { type Clock, type Instant, instantFromMs, msOf, parseInstant } from '#kernel';
import type { Random } from '../../tools/chaos/random.js';

/**
 * Simulations start on Wednesday noon, so that every story spans a weekend, and clearing follows
 * ten hours after the start.
 */
export const BEGIN_MS = msOf(parseInstant('2030-03-06T12:00:00Z'));

/** A process of the simulation. When it is killed, its awaits never resolve. */
export class Process {
  alive = true;

  constructor(readonly name: string) {}
}

interface Turn {
  readonly process: Process;
  readonly label: string;
  readonly resume: () => void;
}

interface Sleeper extends Turn {
  readonly untilMs: number;
}

interface Watcher extends Turn {
  readonly holds: () => boolean;
}

interface Ticker {
  readonly process: Process;
  readonly everyMs: number;
  readonly work: () => void;
  nextMs: number;
}

/**
 * Controls time and order. Each access to the outside waits for its turn here, and the seed chooses
 * the next turn; between two turns only one process runs. A schedule is thus a list of choices, and
 * the same seed leads to the same schedule.
 */
export class Scheduler {
  nowMs = BEGIN_MS;
  private readonly turns: Turn[] = [];
  private sleepers: Sleeper[] = [];
  private watchers: Watcher[] = [];
  private tickers: Ticker[] = [];
  private hasNews = false;
  private lastNow: readonly [number, Instant] = [BEGIN_MS, instantFromMs(BEGIN_MS)];
  readonly clock: Clock = { now: () => this.now() };

  constructor(
    readonly random: Random,
    private readonly onTurn: (process: string, label: string) => void,
  ) {}

  private now(): Instant {
    if (this.lastNow[0] !== this.nowMs) this.lastNow = [this.nowMs, instantFromMs(this.nowMs)];
    return this.lastNow[1];
  }

  /** Resolves at the next turn of this process, and never if the process is killed before that. */
  turn(process: Process, label: string): Promise<void> {
    return new Promise((resume) => {
      if (process.alive) this.turns.push({ process, label, resume });
    });
  }

  sleep(process: Process, ms: number, label: string): Promise<void> {
    return new Promise((resume) => {
      if (!process.alive) return;
      this.sleepers.push({ process, label, resume, untilMs: this.nowMs + ms });
    });
  }

  /** Resolves at the process's first turn at which `holds` is true. */
  until(process: Process, label: string, holds: () => boolean): Promise<void> {
    return new Promise((resume) => {
      if (process.alive) this.watchers.push({ process, label, resume, holds });
      this.hasNews = true;
    });
  }

  /**
   * Repeats `work` while the process lives; repetitions that a time jump skipped are not made up.
   */
  every(process: Process, everyMs: number, work: () => void): () => void {
    const ticker = { process, everyMs, work, nextMs: this.nowMs + everyMs };
    this.tickers.push(ticker);
    return () => {
      this.tickers = this.tickers.filter((one) => one !== ticker);
    };
  }

  kill(process: Process): void {
    process.alive = false;
    const lives = (one: { readonly process: Process }): boolean => one.process !== process;
    for (let index = this.turns.length - 1; index >= 0; index -= 1) {
      if (this.turns[index]?.process === process) this.turns.splice(index, 1);
    }
    this.sleepers = this.sleepers.filter(lives);
    this.watchers = this.watchers.filter(lives);
    this.tickers = this.tickers.filter(lives);
  }

  get hasTurns(): boolean {
    return this.turns.length > 0;
  }

  /** Signals that a condition that a process may wait for has changed. */
  news(): void {
    this.hasNews = true;
  }

  /** Gives a turn to each process whose condition has become true. */
  refresh(): void {
    if (!this.hasNews) return;
    this.hasNews = false;
    const met = this.watchers.filter(({ holds }) => holds());
    if (met.length === 0) return;
    this.watchers = this.watchers.filter((one) => !met.includes(one));
    this.turns.push(...met);
  }

  /** Resolves after every process that can continue without the outside has done so. */
  drained(): Promise<void> {
    return new Promise((resolve) => process.nextTick(resolve));
  }

  /** Chooses one of the processes that are due, and runs it until its next await. */
  async runOne(): Promise<void> {
    const [chosen] = this.turns.splice(this.random.int(0, this.turns.length - 1), 1);
    if (chosen === undefined) return;
    this.onTurn(chosen.process.name, chosen.label);
    chosen.resume();
    await this.drained();
  }

  /** When the next sleeping process wakes, or `null`. */
  nextWakeMs(): number | null {
    let next: number | null = null;
    for (const { untilMs } of this.sleepers) if (next === null || untilMs < next) next = untilMs;
    return next;
  }

  /** Advances time, wakes the processes that are due by then, and runs timed steps. */
  async advanceTo(ms: number): Promise<void> {
    if (ms <= this.nowMs) return;
    this.onTurn('time', `+${ms - this.nowMs} ms`);
    this.nowMs = ms;
    const woken = this.sleepers.filter(({ untilMs }) => untilMs <= ms);
    if (woken.length > 0) {
      this.sleepers = this.sleepers.filter(({ untilMs }) => untilMs > ms);
      this.turns.push(...woken);
    }
    for (const ticker of this.tickers) {
      if (ticker.nextMs > ms) continue;
      ticker.nextMs = ms + ticker.everyMs;
      ticker.work();
    }
    await this.drained();
  }
}
