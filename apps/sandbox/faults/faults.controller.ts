import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { notFound } from '../api/api-error.js';
import { readFault } from './fault-input.js';
import type { CallFault, WebhookFault } from './fault.js';
import { Faults } from './faults.js';

const toResponse = (fault: CallFault | WebhookFault) => ({
  kind: fault.kind,
  count: fault.count,
  rate: fault.rate,
  seed: fault.seed,
  delay_ms: fault.delayMs,
  seen: fault.seen,
  met: fault.met,
});

/**
 * Faults on demand: `{"route": "POST /v2/payment_intents/{id}/capture" or "*", "kind", …}` for
 * calls, `{"event": "payment.authorized", "payment.*" or "*", "kind", …}` for webhooks. `count` is
 * how often the fault applies (default 1; with a `rate` from 0 to 1, until cleared); the same
 * `seed` repeats the random choices of a `rate`. Needs no API key; exists only where the control
 * routes are enabled.
 */
@Controller('sandbox/faults')
export class FaultsController {
  constructor(private readonly faults: Faults) {}

  @Get()
  list() {
    return {
      faults: [
        ...this.faults
          .allCalls()
          .map((each) => ({ id: each.id, route: each.target, ...toResponse(each) })),
        ...this.faults
          .allWebhooks()
          .map((each) => ({ id: each.id, event: each.target, ...toResponse(each) })),
      ],
    };
  }

  @Post()
  @HttpCode(200)
  add(@Body() body: unknown) {
    const asked = readFault(body);
    if (asked.on === 'calls') this.faults.addCall(asked.plan);
    else this.faults.addWebhook(asked.plan);
    return this.list();
  }

  @Delete()
  clear() {
    this.faults.clear();
    return this.list();
  }

  @Delete(':id')
  remove(@Param('id') id: string) {
    if (!this.faults.remove(id)) throw notFound('Fault', id);
    return this.list();
  }
}
