import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import { Database, type Transaction } from '../../storage/database.js';
import type { FullCompany } from '../companies/company-row.js';

/** A text message as shown in the inbox. */
export interface Message {
  readonly company: string;
  readonly to: string;
  /** The message text; null as soon as the code in the message is no longer usable. */
  readonly text: string | null;
  readonly at: Instant;
}

const COMPANY_ID = /^comp_[A-Za-z0-9]{24}$/;
const MAX_SHOWN = 100;

const ADD = {
  name: 'inbox:add',
  text: `INSERT INTO onboarding_messages (company_id, recipient, body, sent_at, due_at)
         VALUES ($1, $2, $3, $4, $5)`,
};
const SENT_SINCE = {
  name: 'inbox:sent-since',
  text: `SELECT count(*)::int AS count FROM onboarding_messages
         WHERE company_id = $1 AND sent_at > $2`,
};
const READ = {
  name: 'inbox:read',
  text: `SELECT company_id AS company, recipient AS "to", body AS text, sent_at AS at
         FROM onboarding_messages WHERE $1::text IS NULL OR company_id = $1
         ORDER BY seq DESC LIMIT ${MAX_SHOWN}`,
};

/** Text messages to users of companies, shown only in the sandbox's inbox. */
@Injectable()
export class MessageInbox {
  constructor(@Inject(Database) private readonly database: Database) {}

  /**
   * Sends a message, which stays readable until the code in the message expires or the message is
   * erased.
   */
  async send(
    tx: Transaction,
    company: FullCompany,
    code: string,
    { at, until }: { readonly at: Instant; readonly until: Instant },
  ): Promise<void> {
    const { contact } = company.file.user;
    const text =
      contact.lang === 'fr'
        ? `${code} est votre code pour signer le contrat de ${company.file['legal-name']}.`
        : `${code} is your code to sign the contract of ${company.file['legal-name']}.`;
    await tx.query(ADD, [company.id, contact.phone ?? contact.email, text, at, until]);
  }

  /** The number of messages sent to a company's user after this instant. */
  async countSince(tx: Transaction, companyId: string, since: Instant): Promise<number> {
    const [row] = await tx.query<{ count: number }>(SENT_SINCE, [companyId, since]);
    return row?.count ?? 0;
  }

  /** Reads the messages of all companies or of one, newest first. */
  async read(companyId: string | null): Promise<readonly Message[]> {
    if (companyId !== null && !COMPANY_ID.test(companyId)) return [];
    return this.database.query<Message>(READ, [companyId]);
  }
}
