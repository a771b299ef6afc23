import { Injectable, type OnModuleDestroy } from '@nestjs/common';

const CHECK_TIMEOUT_MS = 2_000;

type Status = 'up' | 'degraded' | 'down';

export interface ReadyReport {
  /**
   * `degraded`: the process accepts work, but a dependency without which it can work for a while is
   * unavailable.
   */
  readonly status: Status;
  readonly checks: Readonly<Record<string, { status: Status; reason?: string }>>;
}

const withinMs = async (check: () => Promise<unknown>, timeoutMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([check(), late]);
  } finally {
    clearTimeout(timer);
  }
};

interface Check {
  readonly run: () => Promise<unknown>;
  /** What the failure of the check means for the process. */
  readonly failed: 'degraded' | 'down';
}

const resultOf = async ({ run, failed }: Check): Promise<ReadyReport['checks'][string]> => {
  try {
    await withinMs(run, CHECK_TIMEOUT_MS);
    return { status: 'up' };
  } catch (error) {
    return { status: failed, reason: error instanceof Error ? error.message : 'failed' };
  }
};

/**
 * The checks that decide whether this process accepts work. Each module adds its own check, with a
 * name.
 */
@Injectable()
export class HealthChecks implements OnModuleDestroy {
  private readonly checks = new Map<string, Check>();
  private stopping = false;

  /** `check` resolves while the dependency works, and rejects with a reason otherwise. */
  add(name: string, check: () => Promise<unknown>): void {
    this.checks.set(name, { run: check, failed: 'down' });
  }

  /**
   * Like `add`, but the process accepts work even if the dependency fails: the failure is only
   * reported.
   */
  addOptional(name: string, check: () => Promise<unknown>): void {
    this.checks.set(name, { run: check, failed: 'degraded' });
  }

  async ready(): Promise<ReadyReport> {
    const entries = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await resultOf(check)] as const),
    );
    const statuses = entries.map(([, { status }]) => status);
    return { status: this.statusOf(statuses), checks: Object.fromEntries(entries) };
  }

  /**
   * From now on the readiness check fails, so that a load balancer stops sending requests before
   * the port is closed.
   */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  private statusOf(statuses: readonly Status[]): Status {
    if (this.stopping || statuses.includes('down')) return 'down';
    return statuses.includes('degraded') ? 'degraded' : 'up';
  }
}
