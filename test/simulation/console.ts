import { EventStore, WaitingSagas } from '#log';
import { ResolveResult, StuckCalls, type RefundIs } from '#operations';
import { UPCASTERS } from '#orchestrator';
import { HostedAdapter } from '#psp-hosted';
import { accountOf } from './account.js';
import type { ApiParts } from './platform.js';
import { consolePool } from './ports/console-pool.js';
import { simulatedLog } from './ports/log.js';
import { connectionOf } from './ports/process-exchange.js';
import { faultyReactions } from './ports/sagas.js';
import { Process } from './scheduler.js';

const OPERATOR = 'user:operator';
/** The number of cached streams. It is small, because a simulation has few streams. */
const MAX_CACHED = 100;

/**
 * The console as a simulated process. It runs the production code of the repair actions on
 * simulated ports. Operators change a simulation only by these actions.
 */
export class SimulatedConsole {
  readonly process = new Process('console');
  private requested = 0;
  private readonly resolving: ResolveResult;
  private readonly calls: StuckCalls;
  private readonly sagas: WaitingSagas;

  constructor({ scheduler, database, network, rates }: ApiParts) {
    const exchange = connectionOf(scheduler, this.process, () => rates().database);
    const reactions = faultyReactions(scheduler, () => rates().reaction);
    const store = new EventStore(simulatedLog(database, exchange), UPCASTERS, reactions, {
      pause: async () => scheduler.sleep(this.process, scheduler.random.int(1, 500), 'pause over'),
      maxCached: MAX_CACHED,
    });
    const adapter = new HostedAdapter(network.transportOf(this.process));
    const pool = consolePool(database, exchange);
    this.resolving = new ResolveResult(pool, store, scheduler.clock, (accountId) =>
      Promise.resolve(adapter.client(accountOf(accountId).apiKey).payments),
    );
    this.calls = new StuckCalls(pool);
    this.sagas = new WaitingSagas(pool);
  }

  /**
   * `resolve_result`: resolves the result of a failed request. @throws Rejection, or a
   *   `ProviderError`
   */
  async resolveResult(jobId: string, refundIs: RefundIs): Promise<void> {
    this.requested += 1;
    const id = `action ${this.requested}`;
    await this.resolving.apply(jobId, { id, reason: 'reviewed', actor: OPERATOR, refundIs });
  }

  /**
   * `retry_request`: retries a failed request; the worker reads the provider first. @throws
   *   Rejection
   */
  async retryRequest(jobId: string): Promise<void> {
    await this.calls.release(jobId, 'reviewed');
  }

  /** `retry_reaction`: retries a blocked workflow. @throws Rejection */
  async retryReaction(saga: string, key: string): Promise<void> {
    await this.sagas.retry({ saga, key });
  }
}
