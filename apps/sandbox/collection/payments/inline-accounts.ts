import { Injectable } from '@nestjs/common';
import { DAY_MS, type Instant, parseInstant, plusMs } from '#kernel';
import { conflict, invalid } from '../../api/api-error.js';
import { type AccountScope, scopeValues } from '../../storage/account-scope.js';
import { type Transaction, violatedConstraint } from '../../storage/database.js';
import { Fingerprints } from '../../storage/fingerprints.js';
import { MerchantNames } from '../../storage/merchant-names.js';
import type { Unit } from '../../storage/unit.js';
import { type MandateRow, MANDATES } from '../mandates/mandate-resource.js';
import { MandateResources } from '../mandates/mandate-resources.js';
import { newMandate, SAME_RUM, signMandate } from '../mandates/mandate-signing.js';
import { signedForm } from '../mandates/signed-form.js';
import { Accounts } from '../sepa/accounts.js';
import { readIban } from '../sepa/iban.js';
import type { SepaCreate, SepaRow } from '../sepa/sepa-resource.js';

/**
 * Selects a bank account with its mandate, locked so that the mandate is not deleted while in use.
 */
const KNOWN = {
  name: 'inline-account:known',
  text: `SELECT s.*, m.id AS mandate_id FROM mandates m JOIN sepa s ON s.id = m.sepa_id
         WHERE m.account_id = $1 AND m.live = $2 AND m.rum = $3 AND m.status = 'signed'
           AND s.fingerprint = $4 AND s.deleted_at IS NULL FOR SHARE OF m`,
};

interface SignedAccount {
  readonly sepa: SepaRow;
  readonly mandate: Pick<MandateRow, 'id'>;
}

/**
 * Stores the bank accounts in the bodies of payments created in one call. The merchant names the
 * mandate by its reference (`mandate`) and signature date (`date_mandate`): calls with the same
 * bank account and reference use the same stored mandate.
 */
@Injectable()
export class InlineAccounts {
  constructor(
    private readonly accounts: Accounts,
    private readonly names: MerchantNames,
    private readonly fingerprints: Fingerprints,
    private readonly resources: MandateResources,
  ) {}

  /**
   * Stores the bank account and its mandate. Throws `ApiError`: 422 for an invalid IBAN or a future
   * date, 409 without a signed mandate.
   */
  async keep(
    tx: Transaction,
    unit: Unit,
    scope: AccountScope,
    given: SepaCreate,
    now: Instant,
  ): Promise<SignedAccount> {
    const iban = readIban(given.iban, ['sepa', 'iban']);
    const rum = given.mandate ?? null;
    const signedOn = given.date_mandate ?? null;
    if (rum === null || signedOn === null) {
      throw conflict(
        'The bank account has no signed mandate: send `mandate` and `date_mandate` in `sepa`',
      );
    }
    const [known] = await tx.query<SepaRow & { readonly mandate_id: string }>(KNOWN, [
      ...scopeValues(scope),
      rum,
      this.fingerprints.ofIban(iban),
    ]);
    if (known !== undefined) return { sepa: known, mandate: { id: known.mandate_id } };
    const signedAt = parseInstant(`${signedOn}T00:00:00Z`);
    if (signedAt > plusMs(now, DAY_MS)) {
      const msg = 'Input should not be in the future';
      throw invalid({ loc: ['body', 'sepa', 'date_mandate'], msg, type: 'value_error' });
    }
    const sepa = this.accounts.keep(unit, scope, { ...given, iban }, now);
    const made = newMandate(
      sepa,
      { origin: 'import', intent_id: null, rum, phone_last4: null },
      now,
    );
    unit.insert(MANDATES, made);
    unit.addEvent('mandate.created', scope, this.resources.mandate(made), now);
    const form = signedForm(sepa, await this.names.of(scope, tx), null);
    return { sepa, mandate: signMandate(unit, this.resources, made, form, signedAt, now) };
  }
}

/**
 * Throws `ApiError` 409 when the mandate reference is already used with another bank account;
 * rethrows any other error.
 */
export const refuseUsedRum = (error: unknown): never => {
  if (violatedConstraint(error) !== SAME_RUM) throw error;
  throw conflict(
    '`mandate` is already used with another bank account: send another reference in `sepa`',
  );
};
