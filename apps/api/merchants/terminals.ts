import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '#kernel';
import { merchantAggregate, type MerchantCommand } from '#onboarding';
import { CLOCK } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { Idempotency } from '../shared/idempotency.js';
import { Tenancy } from '../shared/tenancy.js';
import { terminalsAnswer, type TerminalsAnswer } from './merchant-answer.js';

type TerminalCommand = Extract<
  MerchantCommand,
  { type: 'RequestTerminal' | 'RequestTerminalCancel' }
>;

/** Requests terminals and the cancellation of their orders; the worker calls the provider. */
@Injectable()
export class Terminals {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(caller: Caller, merchantId: string): Promise<TerminalsAnswer> {
    return terminalsAnswer(await this.tenancy.merchant(caller, merchantId));
  }

  order(
    request: ChangeRequest,
    merchantId: string,
    name: string,
  ): Promise<Answer<TerminalsAnswer>> {
    const [requestId, at] = [newId('req'), this.clock.now()];
    const command = { type: 'RequestTerminal', requestId, name, by: 'platform', at } as const;
    return this.execute(request, merchantId, command);
  }

  cancel(
    request: ChangeRequest,
    merchantId: string,
    terminalId: string,
  ): Promise<Answer<TerminalsAnswer>> {
    const command = { type: 'RequestTerminalCancel', terminalId, at: this.clock.now() } as const;
    return this.execute(request, merchantId, command);
  }

  private execute(
    request: ChangeRequest,
    merchantId: string,
    command: TerminalCommand,
  ): Promise<Answer<TerminalsAnswer>> {
    return this.idempotency.withReplay(request, () =>
      this.idempotency.step(request, merchantId, 202, async (step) => {
        await this.tenancy.merchant(request.caller, merchantId, step);
        await step.execute(merchantAggregate, merchantId, command);
        return terminalsAnswer(await this.tenancy.merchant(request.caller, merchantId, step));
      }),
    );
  }
}
