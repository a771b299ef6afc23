import { type Clock, type Instant, instantFromMs, msOf, parseInstant } from '#kernel';
import type { Random } from '../../tools/chaos/random.js';

/**
 * Simulations start on a Wednesday at 12:00 UTC: the first clearing is ten hours later, and every
 * simulation spans a weekend.
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
 * Controls the time and the order in which processes run. Before each access to database, broker or
 * provider, a process waits here for its turn. The seed decides which process gets the next turn.
 * Only this process then runs until it waits again, so the same seed always leads to the same
 * schedule.
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

  /** Resolves at the next turn of this process; never resolves if the process is killed before. */
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

  /** Waits for `holds` to become true, and then for a turn of the process. */
  until(process: Process, label: string, holds: () => boolean): Promise<void> {
    return new Promise((resume) => {
      if (process.alive) this.watchers.push({ process, label, resume, holds });
      this.hasNews = true;
    });
  }

  /**
   * Runs `work` every `everyMs` milliseconds while the process lives; after a time jump, missed
   * runs are not repeated.
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

  /**
   * Signals that something has changed, so that the conditions of waiting processes must be
   * evaluated again.
   */
  news(): void {
    this.hasNews = true;
  }

  /** Queues a turn for each process whose condition has become true. */
  refresh(): void {
    if (!this.hasNews) return;
    this.hasNews = false;
    const met = this.watchers.filter(({ holds }) => holds());
    if (met.length === 0) return;
    this.watchers = this.watchers.filter((one) => !met.includes(one));
    this.turns.push(...met);
  }

  /** Resolves when every process waits for its next turn. */
  drained(): Promise<void> {
    return new Promise((resolve) => process.nextTick(resolve));
  }

  /** Gives a turn to one of the queued processes, and runs it until it waits for its next turn. */
  async runOne(): Promise<void> {
    const [chosen] = this.turns.splice(this.random.int(0, this.turns.length - 1), 1);
    if (chosen === undefined) return;
    this.onTurn(chosen.process.name, chosen.label);
    chosen.resume();
    await this.drained();
  }

  /** The time at which the next sleeping process wakes, or `null`. */
  nextWakeMs(): number | null {
    let next: number | null = null;
    for (const { untilMs } of this.sleepers) if (next === null || untilMs < next) next = untilMs;
    return next;
  }

  /**
   * Advances time to `ms`, wakes the processes that sleep until then, and runs the periodic work
   * that is due.
   */
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
