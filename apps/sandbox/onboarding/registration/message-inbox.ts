import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import { Database, type Transaction } from '../../database/database.js';
import type { FullCompany } from '../companies/company-row.js';

/** A text message as the inbox shows it. */
export interface Message {
  readonly company: string;
  readonly to: string;
  readonly text: string;
  readonly at: Instant;
}

const MAX_SHOWN = 100;

const ADD = {
  name: 'inbox:add',
  text: `INSERT INTO onboarding_messages (company_id, recipient, body, sent_at)
         VALUES ($1, $2, $3, $4)`,
};
const READ = {
  name: 'inbox:read',
  text: `SELECT company_id AS company, recipient AS "to", body AS text, sent_at AS at
         FROM onboarding_messages WHERE $1::text IS NULL OR company_id = $1
         ORDER BY seq DESC LIMIT ${MAX_SHOWN}`,
};

/** Text messages to users of companies: they leave the sandbox for its inbox only. */
@Injectable()
export class MessageInbox {
  constructor(@Inject(Database) private readonly database: Database) {}

  async send(tx: Transaction, company: FullCompany, code: string, at: Instant): Promise<void> {
    const { contact } = company.file.user;
    const text =
      contact.lang === 'fr'
        ? `${code} est votre code pour signer le contrat de ${company.file['legal-name']}.`
        : `${code} is your code to sign the contract of ${company.file['legal-name']}.`;
    await tx.query(ADD, [company.id, contact.phone ?? contact.email, text, at]);
  }

  /** Newest first; of one company when it is named. */
  read(companyId: string | null): Promise<readonly Message[]> {
    return this.database.query<Message>(READ, [companyId]);
  }
}
