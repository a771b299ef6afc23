import { Inject, Injectable } from '@nestjs/common';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { parisDay } from '../paris-day.js';
import { refuseSignedFields, refuseSignedPeople } from './after-signature.js';
import { mergeCompany, newCompanyFile } from './company-merge.js';
import type { CompanyInput } from './company-request.js';
import type { FullCompany } from './company-row.js';
import { CompanyStore } from './company-store.js';
import { changeEmail, takeEmail } from './emails.js';
import { type PersonRole, withoutPerson } from './remove-person.js';
import { StatusChanges } from './status-changes.js';

/** Creates companies and changes their stored data. */
@Injectable()
export class CompaniesService {
  constructor(
    @Inject(CompanyStore) private readonly store: CompanyStore,
    @Inject(StatusChanges) private readonly changes: StatusChanges,
    @Inject(SandboxClock) private readonly clock: SandboxClock,
  ) {}

  /** Creates a company. Throws `PartnerError` 422, or 409 when the user's email cannot be used. */
  async create(scope: PartnerScope, input: CompanyInput): Promise<FullCompany> {
    const at = this.clock.now();
    const file = newCompanyFile(input, parisDay(at));
    return this.store.database.transaction(async (tx) => {
      const id = await this.store.insert(tx, scope, file, at);
      await takeEmail(tx, scope.live, file.user.contact.email, id);
      await this.changes.recordCreation(tx, scope, id, at);
      return this.store.readIn(tx, id);
    });
  }

  /**
   * Changes a company. Throws `PartnerError` 404, 422, or 409 for a used email or a field of a
   * signed contract.
   */
  async change(scope: PartnerScope, id: string, input: CompanyInput): Promise<FullCompany> {
    return this.store.database.transaction(async (tx) => {
      const { file, live, status } = await this.store.lock(tx, scope, id);
      refuseSignedFields(status, input);
      const changed = mergeCompany(file, input, parisDay(this.clock.now()));
      const emails = { from: file.user.contact.email, to: changed.user.contact.email };
      await changeEmail(tx, live, emails, id);
      await this.store.saveFile(tx, id, changed);
      return this.store.readIn(tx, id);
    });
  }

  /**
   * Removes an owner or representative. Throws `PartnerError` 404, or 409 for the last
   * representative and after the signature.
   */
  async removePerson(
    scope: PartnerScope,
    id: string,
    person: { readonly id: string; readonly role: PersonRole },
  ): Promise<void> {
    await this.store.database.transaction(async (tx) => {
      const { file, status } = await this.store.lock(tx, scope, id);
      refuseSignedPeople(status, person.role === 'owner' ? 'owners' : 'representatives');
      await this.store.saveFile(tx, id, withoutPerson(file, person.id, person.role));
    });
  }
}
