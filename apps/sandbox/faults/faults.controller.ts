import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { canonicalUrl } from '../http/addresses.js';
import { checkedBody } from '../http/checked.js';
import { type Fault, FAULT_KINDS, type FaultKind, Faults } from './faults.js';

interface FaultBody {
  readonly route: string;
  readonly kind: FaultKind;
  readonly count: number;
  readonly delay_ms: number;
}

const faultBody = checkedBody<FaultBody>({
  required: ['route', 'kind'],
  properties: {
    route: { type: 'string', pattern: '^(GET|POST|PATCH|DELETE) /v2/\\S+$', maxLength: 200 },
    kind: { enum: FAULT_KINDS },
    count: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
    delay_ms: { type: 'integer', minimum: 1, maximum: 120_000, default: 1_000 },
  },
});

/** `POST /v2/payment_intent/{pi_id}/capture` and the like, as the router writes it. */
const routeOf = (written: string): string => {
  const [method = '', path = ''] = written.split(' ');
  return `${method} ${canonicalUrl(path).replace(/\{[^/}]+\}|:[A-Za-z_]+/g, ':id')}`;
};

const tell = ({ route, kind, count, delayMs }: Fault) =>
  ({ route, kind, count, delay_ms: delayMs });

/** Faults on demand, for tests. Needs no key; there only where the sandbox's control is on. */
@Controller('sandbox/faults')
export class FaultsController {
  constructor(private readonly faults: Faults) {}

  @Get()
  list() {
    return { faults: this.faults.all().map(tell) };
  }

  /** For the next `count` calls of a route. */
  @Post()
  @HttpCode(200)
  add(@Body() body: unknown) {
    const { route, kind, count, delay_ms: delayMs } = faultBody.read(body);
    this.faults.add({ route: routeOf(route), kind, count, delayMs });
    return this.list();
  }

  @Delete()
  clear() {
    this.faults.clear();
    return this.list();
  }
}
