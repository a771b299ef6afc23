import { Injectable } from '@nestjs/common';
import { type Instant, newId, randomText } from '#kernel';
import { partnerNotFound } from '../../api/partner/partner-error.js';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import { Database, type Transaction } from '../../storage/database.js';
import { type CompanyFile, identifiedPersons } from './company-file.js';
import type { CompanyRow, FullCompany } from './company-row.js';
import { endContractCode } from './contract-codes.js';

const COLUMNS = `id, partner, live, status, by_hand, ended_by_service, file, version, account_id,
  link_token, created_at, signed_at, due_at`;

const UPLOADS = `SELECT jsonb_agg(jsonb_build_object('token', u.token, 'document', u.document,
    'person_id', u.person_id) ORDER BY u.seq) FROM onboarding_uploads u WHERE u.company_id = c.id`;
const DOCUMENTS = `SELECT jsonb_agg(jsonb_build_object('id', d.id, 'token', d.token,
    'name', d.name, 'media_type', d.media_type, 'size_bytes', d.size_bytes,
    'date_issue', d.date_issue, 'date_expiry', d.date_expiry, 'number', d.number) ORDER BY d.seq)
  FROM onboarding_documents d WHERE d.company_id = c.id`;
const FULL = `SELECT ${COLUMNS}, coalesce((${UPLOADS}), '[]') AS uploads,
  coalesce((${DOCUMENTS}), '[]') AS documents FROM onboarding_companies c`;

const READ = {
  name: 'onboarding:read',
  text: `${FULL} WHERE c.id = $1 AND c.partner = $2 AND c.live = $3`,
};
const READ_BY_ID = { name: 'onboarding:read-by-id', text: `${FULL} WHERE c.id = $1` };
const READ_BY_LINK = { name: 'onboarding:read-by-link', text: `${FULL} WHERE c.link_token = $1` };
const LOCK = {
  name: 'onboarding:lock',
  text: `SELECT ${COLUMNS} FROM onboarding_companies WHERE id = $1 FOR UPDATE`,
};
const INSERT = {
  name: 'onboarding:insert',
  text: `INSERT INTO onboarding_companies
           (id, partner, live, status, file, account_id, link_token, created_at)
         VALUES ($1, $2, $3, 'notComplete', $4, $5, $6, $7)`,
};
const SAVE_FILE = {
  name: 'onboarding:save-file',
  text: 'UPDATE onboarding_companies SET file = $2, version = version + 1 WHERE id = $1',
};
const TOUCH = {
  name: 'onboarding:touch',
  text: 'UPDATE onboarding_companies SET version = version + 1 WHERE id = $1',
};
const ADD_UPLOAD = {
  name: 'onboarding:add-upload',
  text: `INSERT INTO onboarding_uploads (token, company_id, document, person_id)
         VALUES ($1, $2, $3, $4) ON CONFLICT (company_id, document, person_id) DO NOTHING`,
};
/** Deletes all documents and upload URLs of removed persons. */
const DROP_UPLOADS = {
  name: 'onboarding:drop-uploads',
  text: `WITH deleted AS (
           SELECT token FROM onboarding_uploads
           WHERE company_id = $1 AND document = 'idcard' AND NOT person_id = ANY ($2)
         ), papers AS (
           DELETE FROM onboarding_documents d USING deleted WHERE d.token = deleted.token RETURNING d.id
         )
         DELETE FROM onboarding_document_chunks WHERE document_id IN (SELECT id FROM papers)`,
};
const DROP_EMPTY_UPLOADS = {
  name: 'onboarding:drop-empty-uploads',
  text: `DELETE FROM onboarding_uploads
         WHERE company_id = $1 AND document = 'idcard' AND NOT person_id = ANY ($2)`,
};

const UPLOAD_TOKEN_LENGTH = 30;

/** Generates an unguessable token: 30 letters and digits, about 178 random bits. */
export const newToken = (): string => randomText(UPLOAD_TOKEN_LENGTH);

/** Whether a text has the format of a token: other formats are rejected without a query. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9]{30}$/.test(text);

/** Stores companies. Changes hold the company's lock; reads need none. */
@Injectable()
export class CompanyStore {
  constructor(readonly database: Database) {}

  /**
   * Returns the partner's company; throws `PartnerError` 404 when the partner has no such company.
   */
  async read({ partner, live }: PartnerScope, id: string): Promise<FullCompany> {
    const [row] = await this.database.query<FullCompany>(READ, [id, partner, live]);
    if (row === undefined) throw partnerNotFound('company', id);
    return row;
  }

  async readByLink(token: string): Promise<FullCompany | null> {
    if (!isToken(token)) return null;
    const [row] = await this.database.query<FullCompany>(READ_BY_LINK, [token]);
    return row ?? null;
  }

  /** Reads a company in this transaction, with the changes that the transaction has made so far. */
  async readIn(tx: Transaction, id: string): Promise<FullCompany> {
    const [row] = await tx.query<FullCompany>(READ_BY_ID, [id]);
    if (row === undefined) throw partnerNotFound('company', id);
    return row;
  }

  /**
   * Locks the partner's company; throws `PartnerError` 404 when the partner has no such company.
   */
  async lock(tx: Transaction, { partner, live }: PartnerScope, id: string): Promise<CompanyRow> {
    const row = await this.lockById(tx, id);
    if (row === null || row.partner !== partner || row.live !== live) {
      throw partnerNotFound('company', id);
    }
    return row;
  }

  async lockById(tx: Transaction, id: string): Promise<CompanyRow | null> {
    const [row] = await tx.query<CompanyRow>(LOCK, [id]);
    return row ?? null;
  }

  async insert(
    tx: Transaction,
    { partner, live }: PartnerScope,
    file: CompanyFile,
    at: Instant,
  ): Promise<string> {
    const id = newId('comp');
    const values = [id, partner, live, file, newId('acct'), newToken(), at];
    await tx.query(INSERT, values);
    await this.addUploads(tx, id, file);
    return id;
  }

  /**
   * Saves a company's changed data and its expected documents; an open signing code becomes
   * invalid.
   */
  async saveFile(tx: Transaction, id: string, file: CompanyFile): Promise<void> {
    await tx.query(SAVE_FILE, [id, file]);
    await endContractCode(tx, id);
    const persons = identifiedPersons(file);
    await tx.query(DROP_UPLOADS, [id, persons]);
    await tx.query(DROP_EMPTY_UPLOADS, [id, persons]);
    await this.addUploads(tx, id, file);
  }

  /**
   * Marks the company as changed because a document was added or removed: the merchant must review
   * the data again and needs a new code.
   */
  async touch(tx: Transaction, id: string): Promise<void> {
    await tx.query(TOUCH, [id]);
    await endContractCode(tx, id);
  }

  private async addUploads(tx: Transaction, id: string, file: CompanyFile): Promise<void> {
    const expected: readonly (readonly [string, string | null])[] = [
      ['kbis', null],
      ['iban', null],
      ...identifiedPersons(file).map((person) => ['idcard', person] as const),
    ];
    for (const [document, person] of expected) {
      await tx.query(ADD_UPLOAD, [newToken(), id, document, person]);
    }
  }
}
