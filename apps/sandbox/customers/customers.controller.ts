import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { newId } from '#kernel';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { findRow } from '../database/by-id.js';
import { Store } from '../database/store.js';
import { Unit } from '../database/unit.js';
import { checkedBody } from '../http/checked.js';
import { pathId, present } from '../http/ids.js';
import { listQuery, readPage } from '../http/lists.js';
import { checkReferences } from '../http/references.js';
import { Live } from '../http/request-mode.js';
import {
  OPTIONAL_COUNTRY, OPTIONAL_DATE, optionalReference, optionalText,
} from '../http/schemas.js';
import { Resources } from '../resources.js';
import { CUSTOMERS, type CustomerRow } from './customer-row.js';

type Field =
  | 'email' | 'mobile' | 'name' | 'date_birth' | 'legal_id' | 'country' | 'external_id'
  | 'billing_address' | 'shipping_address';
type CustomerCreate = { readonly [F in Field]?: string | null };

const given = (field: 'email' | 'mobile') =>
  ({ required: [field], properties: { [field]: { type: 'string' } } }) as const;

const customerCreate = checkedBody<CustomerCreate>({
  properties: {
    email: { ...optionalText(5, 64), format: 'email' },
    mobile: optionalText(8, 16),
    name: optionalText(3, 64),
    date_birth: OPTIONAL_DATE,
    legal_id: optionalText(1, 16),
    country: OPTIONAL_COUNTRY,
    external_id: optionalText(1, 36),
    billing_address: optionalReference('addr'),
    shipping_address: optionalReference('addr'),
  },
  anyOf: [given('email'), given('mobile')],
});

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
    await checkReferences(this.store.database, live, [
      ['billing_address', row.billing_address],
      ['shipping_address', row.shipping_address],
    ]);
    const unit = new Unit();
    const customer = this.resources.customer(row);
    unit.insert(CUSTOMERS, row);
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
    const customerId = pathId('cust', id);
    const row = await findRow(this.store.database, CUSTOMERS, live, customerId);
    return this.resources.customer(present('cust', customerId, row));
  }
}
