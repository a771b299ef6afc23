import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type Supervised, track } from '../../tools/infra/processes.mjs';

/** The output of a code block, and the exit code of its last command. */
export interface Printed {
  readonly output: string;
  readonly code: number;
}

/** Runs curl without a progress bar, so that it fails on an error response. */
const CURL = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }';
const TIMEOUT_MS = 30_000;

/** A shell in which all commands of one guide run, so that they share variables. */
export class Shell {
  private readonly bash;
  private readonly supervised: Supervised;
  private printed = '';
  private complaints = '';
  private changed = (): void => undefined;

  constructor(folder: string) {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME };
    this.bash = spawn('bash', [], { cwd: folder, detached: true, stdio: 'pipe', env });
    this.supervised = track(this.bash, { name: 'the shell of a guide' });
    this.bash.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.printed += text;
      this.changed();
    });
    this.bash.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complaints += text;
    });
    this.bash.on('exit', () => this.changed());
    this.bash.stdin.write(`${CURL}\n`);
  }

  /** Runs a code block; with `mustSucceed`, rejects when one of its commands fails. */
  async run(commands: string, mustSucceed: boolean): Promise<Printed> {
    const mark = randomUUID();
    this.printed = '';
    this.complaints = '';
    this.bash.stdin.write(
      `set ${mustSucceed ? '-e' : '+e'}\n{ ${commands}\n} < /dev/null\nprintf '\\n${mark} %s\\n' $?\n`,
    );
    const end = new RegExp(`\\n${mark} (\\d+)\\n`);
    const found = await this.until(end);
    if (found === null) throw new Error(`${commands}\n${this.printed}${this.complaints}`);
    return { output: this.printed.slice(0, found.index).trim(), code: Number(found[1]) };
  }

  /** Ends the shell and all programs that it has started. They share its process group. */
  async stop(): Promise<void> {
    const { pid } = this.supervised;
    if (pid === undefined || !this.supervised.isRunning()) return;
    process.kill(-pid, 'SIGTERM');
    await this.supervised.exited;
  }

  /**
   * Waits for output that matches the pattern; returns null if the shell ends before, or after the
   * time limit.
   */
  private until(pattern: RegExp): Promise<RegExpExecArray | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), TIMEOUT_MS);
      this.changed = () => {
        const found = pattern.exec(this.printed);
        if (found === null && this.bash.exitCode === null) return;
        clearTimeout(timer);
        resolve(found);
      };
      this.changed();
    });
  }
}
