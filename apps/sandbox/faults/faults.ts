import { Injectable } from '@nestjs/common';

/** What happens to a call instead of, before or after what it asks for. */
export const FAULT_KINDS = [
  /** Waits, then goes on as usual. */
  'delay',
  /** The connection ends and nothing was done. */
  'drop_before',
  /** It is done, and the connection ends without the answer. */
  'drop_after',
  /** It is done, and the answer breaks off half-way. */
  'half_answer',
  /** The connection is reset and nothing was done. */
  'reset',
  /** These answers come instead: nothing was done. */
  'status_500', 'status_502_html', 'status_429',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  /** e.g. `POST /v2/payment_intents/:id/capture`. */
  readonly route: string;
  readonly kind: FaultKind;
  /** How many further calls it meets. */
  readonly count: number;
  readonly delayMs: number;
}

/** The faults that are waiting for calls. In memory: a restart forgets them. */
@Injectable()
export class Faults {
  private waiting: Fault[] = [];

  add(fault: Fault): void {
    this.waiting.push(fault);
  }

  all(): readonly Fault[] {
    return this.waiting;
  }

  clear(): void {
    this.waiting = [];
  }

  /** The oldest fault for this route, used up by one; null when there is none. */
  take(route: string): Fault | null {
    if (this.waiting.length === 0) return null;
    const index = this.waiting.findIndex((fault) => fault.route === route);
    const fault = this.waiting[index];
    if (fault === undefined) return null;
    if (fault.count > 1) this.waiting[index] = { ...fault, count: fault.count - 1 };
    else this.waiting.splice(index, 1);
    return fault;
  }
}
