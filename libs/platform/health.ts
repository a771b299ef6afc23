import { Injectable, type OnModuleDestroy } from '@nestjs/common';

const CHECK_TIMEOUT_MS = 2_000;

export interface ReadyReport {
  readonly status: 'up' | 'down';
  readonly checks: Readonly<Record<string, { status: 'up' | 'down'; reason?: string }>>;
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

/** What has to work for this process to take work. Each part adds its own named check. */
@Injectable()
export class HealthChecks implements OnModuleDestroy {
  private readonly checks = new Map<string, () => Promise<unknown>>();
  private stopping = false;

  /** `check` resolves while the part works and rejects, with a reason, when it does not. */
  add(name: string, check: () => Promise<unknown>): void {
    this.checks.set(name, check);
  }

  async ready(): Promise<ReadyReport> {
    const names = [...this.checks.keys()];
    const settled = await Promise.allSettled(
      [...this.checks.values()].map((check) => withinMs(check, CHECK_TIMEOUT_MS)),
    );
    const entries = settled.map((result, index) => {
      const name = names[index] ?? '';
      if (result.status === 'fulfilled') return [name, { status: 'up' as const }] as const;
      const reason = result.reason instanceof Error ? result.reason.message : 'failed';
      return [name, { status: 'down' as const, reason }] as const;
    });
    const up = !this.stopping && settled.every((result) => result.status === 'fulfilled');
    return { status: up ? 'up' : 'down', checks: Object.fromEntries(entries) };
  }

  /** A load balancer stops sending work before the listener closes. */
  onModuleDestroy(): void {
    this.stopping = true;
  }
}
