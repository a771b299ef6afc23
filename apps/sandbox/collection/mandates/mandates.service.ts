import { Injectable } from '@nestjs/common';
import { assert } from '#kernel';
import { conflict } from '../../api/api-error.js';
import { present } from '../../api/ids.js';
import { checkReferences } from '../../api/references.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import { violatedConstraint } from '../../storage/database.js';
import { MerchantNames } from '../../storage/merchant-names.js';
import { Store } from '../../storage/store.js';
import { Unit } from '../../storage/unit.js';
import { SEPA } from '../sepa/sepa-resource.js';
import { readSignedAt } from './mandate-input.js';
import {
  type MandateCreate,
  type MandatePatch,
  type MandateRow,
  MANDATES,
} from './mandate-resource.js';
import { MandateResources } from './mandate-resources.js';
import { deleteMandate, newMandate, SAME_RUM, signMandate } from './mandate-signing.js';
import { signedForm } from './signed-form.js';
import { SigningCodes } from './signing-codes.js';

/**
 * Mandates that merchants import by the API. Such a mandate counts as signed if `signed_at` is
 * given, or once its signed document is uploaded. The methods throw `ApiError`.
 * @see docs/provider/payments-completion.md#resources
 */
@Injectable()
export class Mandates {
  constructor(
    private readonly store: Store,
    private readonly names: MerchantNames,
    private readonly clock: SandboxClock,
    private readonly resources: MandateResources,
    private readonly codes: SigningCodes,
  ) {}

  async create(scope: AccountScope, body: MandateCreate): Promise<MandateRow> {
    const now = this.clock.now();
    const signedAt = readSignedAt(body.signed_at, now);
    await checkReferences(this.store.database, scope, MANDATES.references(body));
    const found = await findRow(this.store.database, SEPA, scope, body.sepa);
    const sepa = present('sepa', body.sepa, found);
    const unit = new Unit();
    const rum = body.rum ?? null;
    const made = newMandate(
      sepa,
      { origin: 'import', intent_id: null, rum, phone_last4: null },
      now,
    );
    unit.insert(MANDATES, made);
    unit.addEvent('mandate.created', scope, this.resources.mandate(made), now);
    const form = signedForm(sepa, await this.names.of(scope), null);
    const mandate =
      signedAt === null ? made : signMandate(unit, this.resources, made, form, signedAt, now);
    await withNewRum(rum, () => this.store.save(unit));
    return mandate;
  }

  async read(scope: AccountScope, id: string): Promise<MandateRow> {
    return present('mndt', id, await findRow(this.store.database, MANDATES, scope, id));
  }

  async patch(scope: AccountScope, id: string, body: MandatePatch): Promise<MandateRow> {
    const now = this.clock.now();
    const signedAt = readSignedAt(body.signed_at, now);
    return withNewRum(body.rum ?? null, () =>
      this.store.decide(async (tx, unit) => {
        const row = present('mndt', id, await lockRow(tx, MANDATES, scope, id));
        const rum = body.rum ?? row.rum;
        if (rum === row.rum && (signedAt ?? row.signed_at) === row.signed_at) return row;
        if (row.status === 'signed') {
          throw conflict('Mandate is signed: it can no longer be changed');
        }
        if (row.origin === 'page') {
          throw conflict('Mandate was created by the payment page, where the payer signs it');
        }
        const changed = { ...row, rum };
        unit.change(MANDATES, changed);
        if (signedAt === null) return changed;
        const sepa = await findRow(tx, SEPA, scope, row.sepa_id);
        assert(sepa !== null, 'a mandate has its account');
        const form = signedForm(sepa, await this.names.of(scope, tx), null);
        return signMandate(unit, this.resources, changed, form, signedAt, now);
      }),
    );
  }

  async remove(scope: AccountScope, id: string): Promise<MandateRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('mndt', id, await lockRow(tx, MANDATES, scope, id));
      await this.codes.withdraw(tx, unit, row);
      return deleteMandate(unit, row, this.clock.now());
    });
  }
}

/**
 * Runs a write; throws `ApiError` 409 when the mandate reference is already used in the same mode,
 * even by a deleted mandate.
 */
const withNewRum = async <T>(rum: string | null, write: () => Promise<T>): Promise<T> => {
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) !== SAME_RUM) throw error;
    throw conflict(`rum \`${rum}\` is used by another mandate`);
  }
};
