import { Injectable } from '@nestjs/common';
import { type Instant, newId } from '#kernel';
import { type AccountScope, scopeOf } from '../../storage/account-scope.js';
import { Fingerprints } from '../../storage/fingerprints.js';
import type { Unit } from '../../storage/unit.js';
import { testIbanOf } from '../banks/test-values.js';
import { SEPA, type SepaCreate, type SepaRow } from './sepa-resource.js';

/** Bank accounts without their IBANs: a keyed fingerprint, the last digits, and the scenario. */
@Injectable()
export class Accounts {
  constructor(private readonly fingerprints: Fingerprints) {}

  /** Creates a new account in the unit of work. `given.iban` is in electronic form. */
  keep(unit: Unit, scope: AccountScope, given: SepaCreate, now: Instant): SepaRow {
    const { iban } = given;
    const row: SepaRow = {
      id: newId('sepa'),
      ...scopeOf(scope),
      fingerprint: this.fingerprints.ofIban(iban),
      scenario: testIbanOf(iban)?.scenario ?? null,
      last4: iban.slice(-4),
      country: iban.slice(0, 2),
      ...SEPA.given(given),
      created_at: now,
      deleted_at: null,
    };
    unit.insert(SEPA, row);
    return row;
  }
}
