import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { newId } from '#kernel';
import { SandboxClock } from '../clock/sandbox-clock.js';
import type { CustomerRow } from '../database/rows.js';
import { Store } from '../database/store.js';
import { Unit } from '../database/unit.js';
import { notFound } from '../http/api-error.js';
import { checkedBody } from '../http/checked.js';
import { idPattern, pathId } from '../http/ids.js';
import { listQuery, readPage } from '../http/lists.js';
import { Live } from '../http/request-mode.js';
import { Resources } from '../payments/resources.js';

type Field =
  | 'email' | 'mobile' | 'name' | 'date_birth' | 'legal_id' | 'country' | 'external_id'
  | 'billing_address' | 'shipping_address';
type CustomerCreate = { readonly [F in Field]?: string | null };

const text = (minLength: number, maxLength: number) =>
  ({ type: ['string', 'null'], minLength, maxLength }) as const;
const ADDRESS = { type: ['string', 'null'], pattern: idPattern('addr') } as const;
const given = (field: 'email' | 'mobile') =>
  ({ required: [field], properties: { [field]: { type: 'string' } } }) as const;

const customerCreate = checkedBody<CustomerCreate>({
  properties: {
    email: { ...text(5, 64), format: 'email' },
    mobile: text(8, 16),
    name: text(3, 64),
    date_birth: { type: ['string', 'null'], format: 'date', pattern: '^(19|20)' },
    legal_id: text(1, 16),
    country: { type: ['string', 'null'], pattern: '^[A-Z]{2}$' },
    external_id: text(1, 36),
    billing_address: ADDRESS,
    shipping_address: ADDRESS,
  },
  anyOf: [given('email'), given('mobile')],
});

const BY_ID = {
  name: 'customer:read',
  text: 'SELECT * FROM customers WHERE id = $1 AND live = $2 AND deleted_at IS NULL',
};
const LIST = {
  name: 'customers',
  select: 'SELECT t.* FROM customers t',
  where: 't.deleted_at IS NULL',
};
const customerList = listQuery();

@Controller('v2/customers')
export class CustomersController {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly resources: Resources,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@Live() live: boolean, @Body() body: unknown) {
    const asked = customerCreate.read(body);
    const row: CustomerRow = {
      id: newId('cust'),
      live,
      email: asked.email ?? null,
      mobile: asked.mobile ?? null,
      name: asked.name ?? null,
      date_birth: asked.date_birth ?? null,
      legal_id: asked.legal_id ?? null,
      country: asked.country ?? null,
      external_id: asked.external_id ?? null,
      billing_address: asked.billing_address ?? null,
      shipping_address: asked.shipping_address ?? null,
      created_at: this.clock.now(),
      deleted_at: null,
    };
    const unit = new Unit();
    const customer = this.resources.customer(row);
    unit.insert('customers', row);
    unit.tell('customer.created', live, customer, row.created_at);
    await this.store.save(unit);
    return customer;
  }

  @Get()
  async list(@Live() live: boolean, @Query() query: unknown) {
    const asked = customerList.read({ ...(query as object) });
    const { rows, range } = await readPage<CustomerRow>(this.store.database, LIST, live, asked);
    return { customers: rows.map((row) => this.resources.customer(row)), range };
  }

  @Get(':id')
  async read(@Live() live: boolean, @Param('id') id: string) {
    const known = pathId('cust', id);
    const [row] = await this.store.database.query<CustomerRow>(BY_ID, [known, live]);
    if (row === undefined) throw notFound('Customer', known);
    return this.resources.customer(row);
  }
}
