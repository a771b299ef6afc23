import { Agent, request } from 'undici';

export const PAYERS = 16;

const agent = new Agent({ connections: 2 * PAYERS, pipelining: 1 });

/** Sends a request as a platform or a payer does; throws if the response is not a success. */
export const call = async (
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Record<string, unknown>> => {
  const answer = await request(url, {
    method,
    dispatcher: agent,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
};

/** An event stream that is being read. Only the first event of each type is stored. */
export interface Followed {
  /** Waits for the first event of a type and returns its data. */
  until(type: string): Promise<Record<string, unknown>>;
  end(): void;
}

/** Follows an event stream whose frames have a line `data: {"type", "data"}`. */
export const follow = (url: string, headers: Record<string, string>): Followed => {
  const ending = new AbortController();
  const waiting = new Map<string, (data: Record<string, unknown>) => void>();
  const seen = new Map<string, Record<string, unknown>>();
  const take = (frame: string): void => {
    const line = frame.split('\n').find((one) => one.startsWith('data:'));
    if (!line) return;
    const entry = JSON.parse(line.slice(5)) as { type: string; data: Record<string, unknown> };
    seen.set(entry.type, entry.data);
    waiting.get(entry.type)?.(entry.data);
  };
  const read = async (): Promise<void> => {
    const answer = await request(url, {
      dispatcher: agent,
      signal: ending.signal,
      headers: { accept: 'text/event-stream', ...headers },
    });
    let text = '';
    for await (const chunk of answer.body) {
      text += String(chunk);
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) take(frame);
    }
  };
  const failed = read().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  return {
    until: (type) => {
      const known = seen.get(type);
      if (known) return Promise.resolve(known);
      const event = new Promise<Record<string, unknown>>((resolve) => waiting.set(type, resolve));
      return Promise.race([event, failed.then(() => event)]);
    },
    end: () => ending.abort(),
  };
};

export const STEPS = ['place', 'page ready', 'pay', 'refresh', 'paid', 'whole'] as const;
export type StepName = (typeof STEPS)[number];

/** Durations of the steps of orders, in milliseconds. */
export class Laps {
  private readonly durations = new Map<StepName, number[]>(STEPS.map((step) => [step, []]));

  /**
   * Starts to measure one order; the caller calls the returned function at the end of each step.
   */
  begin(): (step: Exclude<StepName, 'whole'>) => void {
    const startedMs = performance.now();
    let lastMs = startedMs;
    return (step) => {
      const nowMs = performance.now();
      this.durations.get(step)?.push(nowMs - lastMs);
      lastMs = nowMs;
      if (step === 'paid') this.durations.get('whole')?.push(nowMs - startedMs);
    };
  }

  of(step: StepName): readonly number[] {
    return this.durations.get(step) ?? [];
  }
}
