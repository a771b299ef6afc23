import { type RunningApp, startApp, type StartAppOptions } from '../infra/apps.mjs';

/**
 * A process that can be replaced by another release of the same app, with the same settings and
 * ports.
 */
export class ReplaceableApp implements RunningApp {
  private constructor(
    private readonly options: StartAppOptions,
    private current: RunningApp,
  ) {}

  static async start(options: StartAppOptions): Promise<ReplaceableApp> {
    return new ReplaceableApp(options, await startApp(options));
  }

  /**
   * Stops or kills the process, and starts the app of the release in the folder `checkout`. Without
   * `checkout`, starts the app of this checkout.
   */
  async replaceBy(checkout: string | undefined, end: 'stop' | 'kill9'): Promise<void> {
    await this.current[end]();
    const { checkout: _, ...options } = this.options;
    this.current = await startApp({ ...options, ...(checkout === undefined ? {} : { checkout }) });
  }

  get app(): string {
    return this.current.app;
  }

  get url(): string {
    return this.current.url;
  }

  get internalUrl(): string {
    return this.current.internalUrl;
  }

  get logFile(): string {
    return this.current.logFile;
  }

  get pid(): number | undefined {
    return this.current.pid;
  }

  exited(): ReturnType<RunningApp['exited']> {
    return this.current.exited();
  }

  isRunning(): boolean {
    return this.current.isRunning();
  }

  logTail(lines?: number): string {
    return this.current.logTail(lines);
  }

  stop(): Promise<void> {
    return this.current.stop();
  }

  kill9(): Promise<void> {
    return this.current.kill9();
  }

  restart(): Promise<void> {
    return this.current.restart();
  }
}
