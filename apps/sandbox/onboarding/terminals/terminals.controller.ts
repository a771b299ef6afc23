import { Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import { Partner } from '../../api/partner/partner-scope.js';
import { accountQuery, cancelQuery, orderQuery, type TerminalView } from './terminal-wire.js';
import { TerminalsService } from './terminals.service.js';

/** Payment terminals in the onboarding API. See docs/provider/onboarding.md#payment-terminals. */
@Controller('api/partners')
export class TerminalsController {
  constructor(@Inject(TerminalsService) private readonly terminals: TerminalsService) {}

  @Post('payment-terminal')
  @HttpCode(200)
  order(@Partner() scope: PartnerScope, @Query() query: unknown): Promise<TerminalView> {
    return this.terminals.order(scope, orderQuery.read(query));
  }

  @Get('payment-terminal')
  list(@Partner() scope: PartnerScope, @Query() query: unknown): Promise<readonly TerminalView[]> {
    const { company, account } = accountQuery.read(query);
    return this.terminals.list(scope, company, account);
  }

  @Post('cancel-payment-terminal-order')
  @HttpCode(200)
  cancel(@Partner() scope: PartnerScope, @Query() query: unknown): Promise<TerminalView> {
    const { company, account, 'payment-terminal': terminal } = cancelQuery.read(query);
    return this.terminals.cancel(scope, { company, account, terminal });
  }
}
