import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores what the payer has signed with the mandate, from which its document is generated. For a
 * mandate that is already signed, this is what its document says now; the name of the sandbox's
 * default account is in the settings, so it stays null.
 */
export class SignedForms1766400000000 implements MigrationInterface {
  readonly name = 'SignedForms1766400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mandates ADD COLUMN IF NOT EXISTS signed_form jsonb;
      UPDATE mandates m SET signed_form = jsonb_build_object(
        'creditor', (SELECT COALESCE(c.signed_file, c.file)->>'legal-name'
                     FROM onboarding_companies c WHERE c.account_id = m.account_id LIMIT 1),
        'name', s.name,
        'iban', s.country || '** **** **** ' || s.last4,
        'bic', s.bic,
        'first_debit', (SELECT jsonb_build_object('amount', i.amount, 'description', i.description)
                        FROM payment_intents i WHERE i.id = m.intent_id))
      FROM sepa s WHERE s.id = m.sepa_id AND m.status = 'signed' AND m.signed_form IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mandates DROP COLUMN signed_form');
  }
}
