import { Injectable, type OnModuleDestroy } from '@nestjs/common';

const CHECK_TIMEOUT_MS = 2_000;

type Status = 'up' | 'degraded' | 'down';

export interface ReadyReport {
  /** `degraded`: work is taken, and a part that can wait does not work. */
  readonly status: Status;
  readonly checks: Readonly<Record<string, { status: Status; reason?: string }>>;
}

const withinMs = async (check: () => Promise<unknown>, timeoutMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([check(), late]);
  } finally {
    clearTimeout(timer);
  }
};

interface Check {
  readonly run: () => Promise<unknown>;
  /** What a failure makes of the process. */
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

/** What has to work for this process to take work. Each part adds its own named check. */
@Injectable()
export class HealthChecks implements OnModuleDestroy {
  private readonly checks = new Map<string, Check>();
  private stopping = false;

  /** `check` resolves while the part works and rejects, with a reason, when it does not. */
  add(name: string, check: () => Promise<unknown>): void {
    this.checks.set(name, { run: check, failed: 'down' });
  }

  /** As `add`, for a part without which work is still taken: its failure is shown, no more. */
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

  /** A load balancer stops sending work before the listener closes. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  private statusOf(statuses: readonly Status[]): Status {
    if (this.stopping || statuses.includes('down')) return 'down';
    return statuses.includes('degraded') ? 'degraded' : 'up';
  }
}
