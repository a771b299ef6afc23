import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import { PartnerAddresses } from '../../api/partner/partner-addresses.js';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import { Partner } from '../../api/partner/partner-scope.js';
import { CompaniesService } from './companies.service.js';
import {
  companyPatchBody,
  removedPersonQuery,
  idQuery,
  newCompanyBody,
} from './company-request.js';
import { CompanyStore } from './company-store.js';
import { companyAnswer } from './company-view.js';

/** Companies in the onboarding API. See docs/provider/onboarding.md#company. */
@Controller('api/partners')
export class CompaniesController {
  constructor(
    @Inject(CompaniesService) private readonly companies: CompaniesService,
    @Inject(CompanyStore) private readonly store: CompanyStore,
    @Inject(PartnerAddresses) private readonly addresses: PartnerAddresses,
  ) {}

  @Post('company')
  @HttpCode(200)
  async create(@Partner() scope: PartnerScope, @Body() body: unknown): Promise<object> {
    const company = await this.companies.create(scope, newCompanyBody.read(body));
    return companyAnswer(company, this.addresses.partnersUrl);
  }

  @Get('company')
  async read(@Partner() scope: PartnerScope, @Query() query: unknown): Promise<object> {
    const company = await this.store.read(scope, idQuery.read(query).id);
    return companyAnswer(company, this.addresses.partnersUrl);
  }

  @Patch('company')
  async change(
    @Partner() scope: PartnerScope,
    @Query() query: unknown,
    @Body() body: unknown,
  ): Promise<object> {
    const { id } = idQuery.read(query);
    const company = await this.companies.change(scope, id, companyPatchBody.read(body));
    return companyAnswer(company, this.addresses.partnersUrl);
  }

  @Delete('company-head')
  async removePerson(@Partner() scope: PartnerScope, @Query() query: unknown): Promise<object> {
    const { company, id, type } = removedPersonQuery.read(query);
    await this.companies.removePerson(scope, company, { id, role: type });
    return { deleted: true, id };
  }
}
