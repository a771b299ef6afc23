import { Body, Controller, Get, Inject, Patch, Query } from '@nestjs/common';
import { PartnerAddresses } from '../../api/partner/partner-addresses.js';
import { invalidFields, notAllowed, PartnerError } from '../../api/partner/partner-error.js';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import { Partner } from '../../api/partner/partner-scope.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { companyQuery } from '../companies/company-request.js';
import { isRejectedName } from '../companies/company-status.js';
import { CompanyStore } from '../companies/company-store.js';
import { companyView } from '../companies/company-view.js';
import { StatusChanges } from '../companies/status-changes.js';
import { type KeyPair, MerchantKeys } from '../merchant-keys/merchant-keys.js';
import { progressOf } from './registration-progress.js';
import {
  historyQuery,
  type HistoryRow,
  type RegistrationProgress,
  statusBody,
} from './registration-wire.js';
import { StatusHistory } from './status-history.js';

/**
 * Serves the registration of a company, its status history and its API keys. See
 * docs/provider/onboarding.md#registration.
 */
@Controller('api/partners')
export class RegistrationController {
  constructor(
    @Inject(CompanyStore) private readonly store: CompanyStore,
    @Inject(StatusChanges) private readonly changes: StatusChanges,
    @Inject(StatusHistory) private readonly history: StatusHistory,
    @Inject(MerchantKeys) private readonly keys: MerchantKeys,
    @Inject(PartnerAddresses) private readonly addresses: PartnerAddresses,
    @Inject(SandboxClock) private readonly clock: SandboxClock,
  ) {}

  @Get('subscription-link')
  async link(
    @Partner() scope: PartnerScope,
    @Query() query: unknown,
  ): Promise<{ readonly link: string }> {
    const company = await this.store.read(scope, companyQuery.read(query).company);
    return { link: this.addresses.subscription(company.link_token) };
  }

  @Get('registration-progress')
  async progress(
    @Partner() scope: PartnerScope,
    @Query() query: unknown,
  ): Promise<RegistrationProgress> {
    return progressOf(await this.store.read(scope, companyQuery.read(query).company));
  }

  /**
   * Sets any status immediately; allowed with a test key only. From then on the clock no longer
   * changes the company's status.
   */
  @Patch('company-status')
  async setStatus(
    @Partner() scope: PartnerScope,
    @Query() query: unknown,
    @Body() body: unknown,
  ): Promise<object> {
    if (scope.live) {
      throw new PartnerError(
        403,
        'sandbox-only',
        'a status can be set only with a test key (spart_test_…)',
      );
    }
    const { company: id } = companyQuery.read(query);
    const { status } = statusBody.read(body);
    const after = await this.store.database.transaction(async (tx) => {
      const company = await this.store.lock(tx, scope, id);
      const byService = isRejectedName(company.file['legal-name']);
      await this.changes.move(tx, company, status, this.clock.now(), { byService, byHand: true });
      return this.store.readIn(tx, id);
    });
    return companyView(after);
  }

  /** Served only on SANDBOX_STATUS_HISTORY_PORT, if that variable is set. */
  @Get('company-status-history')
  async readHistory(
    @Partner() scope: PartnerScope,
    @Query() query: unknown,
  ): Promise<readonly HistoryRow[]> {
    const window = historyQuery.read(query);
    if (window.since >= window.until) {
      throw invalidFields({ field: 'until', message: 'must be after `since`' });
    }
    return this.history.window(scope, window);
  }

  @Get('company-keys')
  async readKeys(@Partner() scope: PartnerScope, @Query() query: unknown): Promise<KeyPair> {
    const { id, status } = await this.store.read(scope, companyQuery.read(query).company);
    const keys = await this.keys.read(id);
    if (keys === null) {
      throw notAllowed(`the company has no keys while it is ${status}`);
    }
    return keys;
  }
}
