import { Injectable } from '@nestjs/common';
import { assert, type Instant } from '#kernel';
import { ApiError, conflict, notFound } from '../../api/api-error.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import type { Transaction } from '../../storage/database.js';
import { MerchantNames } from '../../storage/merchant-names.js';
import { Store } from '../../storage/store.js';
import { creditorNamed } from './creditor.js';
import { mandatePdf } from './mandate-pdf.js';
import type { MandateRow } from './mandate-resource.js';
import { MandateResources } from './mandate-resources.js';
import { signMandate } from './mandate-signing.js';

const READ = {
  name: 'mandate-document:read',
  text: 'SELECT document FROM mandate_documents WHERE mandate_id = $1',
};
const KEEP = {
  name: 'mandate-document:keep',
  text: `INSERT INTO mandate_documents (mandate_id, media_type, document, uploaded_at)
         VALUES ($1, 'application/pdf', $2, $3)`,
};
const OF_UPLOAD_TOKEN = `FROM mandates WHERE upload_token = $1 AND origin = 'import' AND status <> 'deleted'`;
const UPLOAD_EXPECTED = {
  name: 'mandate:upload-expected',
  text: `SELECT 1 ${OF_UPLOAD_TOKEN}`,
};
const BY_UPLOAD_TOKEN = {
  name: 'mandate:by-upload-token',
  text: `SELECT * ${OF_UPLOAD_TOKEN} FOR NO KEY UPDATE`,
};
const BY_SIGN_TOKEN = {
  name: 'mandate:by-sign-token',
  text: `SELECT * FROM mandates WHERE sign_token = $1 AND origin = 'page'
         AND status <> 'deleted'`,
};

const PDF_BEGINS = Buffer.from('%PDF-', 'latin1');
const TOKEN = /^[A-Za-z0-9]{30}$/;

const noAddress = (): ApiError =>
  new ApiError(404, {
    error: 'No mandate exists at this URL: the URL is incomplete, or the mandate was deleted',
  });

/** Mandate documents: uploaded by the merchant, or generated from what the payer has signed. */
@Injectable()
export class MandateDocuments {
  constructor(
    private readonly store: Store,
    private readonly names: MerchantNames,
    private readonly clock: SandboxClock,
    private readonly resources: MandateResources,
  ) {}

  /**
   * Returns the document of a mandate as a PDF. Throws `ApiError` 404 for a mandate that is not
   * signed.
   */
  async read(mandate: MandateRow): Promise<Buffer> {
    if (mandate.status !== 'signed') throw notFound('Mandate document', mandate.id);
    const { database } = this.store;
    const [kept] = await database.query<{ document: Buffer }>(READ, [mandate.id]);
    if (kept !== undefined) return kept.document;
    const { signed_form: form } = mandate;
    assert(form !== null, 'a signed mandate without an uploaded document has its form');
    const creditor = creditorNamed(form.creditor ?? (await this.names.of(mandate)));
    return mandatePdf({ mandate, form, creditor });
  }

  /** Returns the mandate that the payer sees on the page, signed or not. Throws `ApiError` 404. */
  async bySignToken(token: string): Promise<MandateRow> {
    if (!TOKEN.test(token)) throw noAddress();
    const [row] = await this.store.database.query<MandateRow>(BY_SIGN_TOKEN, [token]);
    if (row === undefined) throw noAddress();
    return row;
  }

  /** Throws `ApiError` 404 when the token allows no upload. */
  async expectUpload(token: string): Promise<void> {
    if (!TOKEN.test(token)) throw noAddress();
    const found = await this.store.database.query(UPLOAD_EXPECTED, [token]);
    if (found.length === 0) throw noAddress();
  }

  /**
   * Stores the document of an imported mandate; the upload also marks the mandate as signed. The
   * document is evidence and is never replaced: a repeated upload of the same document is accepted,
   * a different document rejected with 409. Throws `ApiError` 404, 409, 415.
   */
  async upload(token: string, document: Buffer): Promise<MandateRow> {
    if (!TOKEN.test(token)) throw noAddress();
    return this.store.decide(async (tx, unit) => {
      const [mandate] = await tx.query<MandateRow>(BY_UPLOAD_TOKEN, [token]);
      if (mandate === undefined) throw noAddress();
      if (!document.subarray(0, PDF_BEGINS.length).equals(PDF_BEGINS)) {
        throw new ApiError(415, { error: 'Unsupported media type: send a PDF document' });
      }
      const now = this.clock.now();
      await this.keep(tx, mandate, document, now);
      if (mandate.status === 'signed') return mandate;
      return signMandate(unit, this.resources, mandate, null, now, now);
    });
  }

  private async keep(
    tx: Transaction,
    { id }: MandateRow,
    document: Buffer,
    now: Instant,
  ): Promise<void> {
    const [kept] = await tx.query<{ document: Buffer }>(READ, [id]);
    if (kept === undefined) await tx.query(KEEP, [id, document, now]);
    else if (!kept.document.equals(document)) throw conflict('Mandate already has its document');
  }
}
