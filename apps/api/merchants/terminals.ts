import { Inject, Injectable } from '@nestjs/common';
import { EventStore } from '#log';
import { type Clock, newId } from '#kernel';
import { merchantAggregate, type MerchantCommand } from '#onboarding';
import { CLOCK } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { Tenancy } from '../shared/tenancy.js';
import { terminalsAnswer, type TerminalsAnswer } from './merchant-answer.js';

type TerminalCommand = Extract<
  MerchantCommand,
  { type: 'RequestTerminal' | 'RequestTerminalCancel' }
>;

/** Asks for terminals, and for the end of such an order; the worker makes the calls. */
@Injectable()
export class Terminals {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(caller: Caller, merchantId: string): Promise<TerminalsAnswer> {
    return terminalsAnswer(await this.tenancy.merchant(caller, merchantId));
  }

  order(
    caller: Caller,
    merchantId: string,
    name: string,
    request: IdempotentRequest,
    origin: Origin,
  ): Promise<Answer<TerminalsAnswer>> {
    return this.ask(caller, merchantId, request, origin, {
      type: 'RequestTerminal',
      requestId: newId('req'),
      name,
      by: 'platform',
      at: this.clock.now(),
    });
  }

  cancel(
    caller: Caller,
    merchantId: string,
    terminalId: string,
    request: IdempotentRequest,
    origin: Origin,
  ): Promise<Answer<TerminalsAnswer>> {
    return this.ask(caller, merchantId, request, origin, {
      type: 'RequestTerminalCancel',
      terminalId,
      at: this.clock.now(),
    });
  }

  private ask(
    caller: Caller,
    merchantId: string,
    request: IdempotentRequest,
    origin: Origin,
    command: TerminalCommand,
  ): Promise<Answer<TerminalsAnswer>> {
    return this.idempotency.once(request, () =>
      this.store.step(metadataOf(merchantId, caller, origin), async (step) => {
        await this.tenancy.merchant(caller, merchantId, step);
        await step.execute(merchantAggregate, merchantId, command);
        const merchant = await this.tenancy.merchant(caller, merchantId, step);
        const answer = { status: 202, body: terminalsAnswer(merchant) };
        step.answered({ ...request, ...answer });
        return answer;
      }),
    );
  }
}
