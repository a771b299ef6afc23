import { SECOND_MS } from '#kernel';
import {
  type FailureReason,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
  ProviderUnknownOutcome,
} from '#psp';
import type { ProviderRequest, ProviderTransport } from '#psp-hosted';
import { accountWithKey } from './account.js';
import type { ProviderAnswer } from './provider/api.js';
import type { FaultRates } from './faults.js';
import type { Safety } from './safety.js';
import type { Process, Scheduler } from './scheduler.js';

const TIMEOUT_MS = 12 * SECOND_MS;
/**
 * The maximum time until a request arrives at the provider. It exceeds the caller's timeout, so a
 * request may arrive after its caller has given up.
 */
const LATEST_ARRIVAL_MS = 60 * SECOND_MS;
/**
 * How many times more often a worker is killed between the effect of its request and the response
 * than at another await.
 */
const DEATHS_BEFORE_ANSWERS = 10;

type Fate =
  | 'through'
  | 'refused_connection'
  | 'rate_limited'
  | 'failed_before'
  | 'failed_after'
  | 'request_lost'
  | 'request_late'
  | 'answer_late'
  | 'answer_lost';

const FAULTS = [
  'refused_connection',
  'rate_limited',
  'failed_before',
  'failed_after',
  'request_lost',
  'request_late',
  'answer_late',
  'answer_lost',
] as const satisfies readonly Fate[];

/**
 * The possible fates of a request when the simulation excludes lost requests: the provider executes
 * the request, or the caller gets an error that proves that it was not executed. Lost requests are
 * excluded, because only an operator can find out that a refund request was lost.
 */
const KEEPS_REQUEST: readonly Fate[] = [
  'rate_limited',
  'refused_connection',
  'failed_after',
  'answer_late',
  'answer_lost',
];

/** A request with the account whose API key it contains. */
interface SentRequest {
  readonly accountId: string;
  readonly request: ProviderRequest;
}

const failure = ({ method, pathTemplate }: ProviderRequest, reason: FailureReason) => {
  const trace = { method, pathTemplate, durationMs: 0 };
  const details = { reason, status: null, detail: null };
  return method === 'GET'
    ? new ProviderUnavailable(trace, details)
    : new ProviderUnknownOutcome(trace, details);
};

/** Decodes the response. A response that cannot be decoded is a failure, as in the transport. */
const decoded = <T>(
  request: ProviderRequest,
  answer: unknown,
  decode: (answer: unknown) => T,
): T => {
  try {
    return decode(answer);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'MalformedWire') throw error;
    throw failure(request, 'unreadable_answer');
  }
};

export interface NetworkParts {
  readonly scheduler: Scheduler;
  /**
   * The process of the network, which delivers messages even if the worker that sent them is
   * killed.
   */
  readonly wires: Process;
  readonly rates: () => FaultRates;
  readonly keepsRequests: boolean;
  readonly provider: (accountId: string, request: ProviderRequest) => ProviderAnswer;
  readonly safety: Pick<Safety, 'onSent' | 'onResult' | 'violated'>;
  /** Kills the process if it is a worker; returns whether the process is a worker. */
  readonly kill: (process: Process) => boolean;
}

export class Network {
  /** The paths of write requests whose result is unknown, by the id of the object. */
  private readonly unknown = new Map<string, string>();

  constructor(private readonly parts: NetworkParts) {}

  /** The transport that one process uses; its errors are those of the real transport. */
  transportOf(process: Process): Pick<ProviderTransport, 'send'> {
    return {
      send: async (apiKey, request, decode) =>
        this.checked(process, { accountId: accountWithKey(apiKey).id, request }, decode),
    };
  }

  /**
   * Sends the request, and checks that a write with an unknown result is not repeated before a
   * read.
   */
  private async checked<T>(
    process: Process,
    sent: SentRequest,
    decode: (answer: unknown) => T,
  ): Promise<T> {
    const { safety } = this.parts;
    const { method, pathTemplate, id } = sent.request;
    const exchange = async (): Promise<T> =>
      decoded(sent.request, await this.exchange(process, sent), decode);
    if (id === undefined) return exchange();
    const isWrite = method !== 'GET';
    if (isWrite && this.unknown.get(id) === pathTemplate) {
      safety.violated(`${pathTemplate} with an unknown result was sent without a read`);
    }
    if (!isWrite) {
      const answer = await exchange();
      this.unknown.delete(id);
      return answer;
    }
    this.unknown.set(id, pathTemplate);
    safety.onSent(sent.request);
    const onResult = (): void => {
      this.unknown.delete(id);
      safety.onResult(sent.request);
    };
    try {
      const answer = await exchange();
      onResult();
      return answer;
    } catch (error) {
      if (!(error instanceof ProviderUnknownOutcome)) onResult();
      throw error;
    }
  }

  private fateOf({ pathTemplate }: ProviderRequest): Fate {
    const {
      scheduler: { random },
      rates,
      keepsRequests,
    } = this.parts;
    if (!random.chance(rates().provider)) return 'through';
    const isRefund = pathTemplate.endsWith('/refund');
    const faults = keepsRequests && isRefund ? KEEPS_REQUEST : FAULTS;
    return faults[random.int(0, faults.length - 1)] ?? 'through';
  }

  private async exchange(process: Process, sent: SentRequest): Promise<unknown> {
    const { scheduler, provider, rates } = this.parts;
    const { accountId, request } = sent;
    const { method, pathTemplate } = request;
    const label = `${method} ${pathTemplate}`;
    const trace = { method, pathTemplate, durationMs: 0 };
    const fate = this.fateOf(request);
    await scheduler.turn(process, fate === 'through' ? label : `${label} (${fate})`);
    const timeout = async (): Promise<never> => {
      await scheduler.sleep(process, TIMEOUT_MS, `${label} times out`);
      throw failure(request, 'timeout');
    };
    switch (fate) {
      case 'refused_connection':
        throw new ProviderUnavailable(trace, { reason: 'unreachable', status: null, detail: null });
      case 'rate_limited':
        throw new ProviderRateLimited(trace, scheduler.random.int(0, 60) * SECOND_MS);
      case 'failed_before':
        throw failure(request, 'server_error');
      case 'request_lost':
        return timeout();
      case 'request_late':
        void this.deliverLate(label, sent);
        return timeout();
      case 'through':
      case 'failed_after':
      case 'answer_late':
      case 'answer_lost': {
        const answer = provider(accountId, request);
        const isDeadly = scheduler.random.chance(rates().crash * DEATHS_BEFORE_ANSWERS);
        if (method !== 'GET' && isDeadly && this.parts.kill(process)) {
          await scheduler.turn(process, 'is dead');
        }
        if (fate === 'answer_lost') return timeout();
        if (fate === 'failed_after') throw failure(request, 'server_error');
        if (fate === 'answer_late') {
          const seconds = scheduler.random.int(1, TIMEOUT_MS / SECOND_MS - 1);
          await scheduler.sleep(process, seconds * SECOND_MS, `${label} is answered late`);
        }
        if (answer.status < 300) return answer.body;
        throw new ProviderRejected(trace, answer.status, null, JSON.stringify(answer.body));
      }
    }
  }

  private async deliverLate(label: string, { accountId, request }: SentRequest): Promise<void> {
    const { scheduler, wires, provider } = this.parts;
    const leftMs = scheduler.nowMs;
    const delayMs = scheduler.random.int(1, LATEST_ARRIVAL_MS / SECOND_MS) * SECOND_MS;
    await scheduler.sleep(wires, delayMs, `${label} arrives`);
    // A request that is delayed by a jump of simulated time never arrives, because its connection
    // has timed out.
    if (scheduler.nowMs - leftMs <= LATEST_ARRIVAL_MS) provider(accountId, request);
  }
}
