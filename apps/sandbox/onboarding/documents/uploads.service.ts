import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  invalidFields,
  notAllowed,
  PartnerError,
  partnerNotFound,
} from '../../api/partner/partner-error.js';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { MAX_PERSONS } from '../companies/company-checks.js';
import type { DocumentRow } from '../companies/company-row.js';
import { isFinalized } from '../companies/company-status.js';
import { CompanyStore } from '../companies/company-store.js';
import { parisDay } from '../paris-day.js';
import { DocumentStore, type UploadPlace } from './document-store.js';
import { readIdentityMeta } from './identity-meta.js';
import { MEDIA_TYPES } from './media-type.js';
import { type ArrivedUpload, MAX_FILES, readUpload, type Taken } from './upload-body.js';

const SIDES_OF_A_CARD = 2;
const COMPANY_PAPERS = 2;
/**
 * Maximum number of documents per company, so that an upload URL cannot be used to fill the disk:
 * enough for both sides of each person's card and several uploads of each company document.
 */
const MAX_DOCUMENTS = MAX_PERSONS * SIDES_OF_A_CARD + COMPANY_PAPERS * MAX_FILES;

export interface UploadResult {
  readonly company: string;
  readonly files: readonly {
    readonly 'file-type': string;
    readonly id: string;
    readonly 'user-file-name': string;
  }[];
}

const takenAt = ({ document }: UploadPlace): Taken => ({
  types: document === 'iban' ? MEDIA_TYPES.slice(0, 1) : MEDIA_TYPES,
  files: document === 'idcard' ? SIDES_OF_A_CARD : MAX_FILES,
});

/**
 * Throws 409 after the signature, because the documents were reviewed together with the contract.
 */
const refuseFinalized = ({ status }: Pick<UploadPlace, 'status'>): void => {
  if (isFinalized(status))
    throw notAllowed('registration is finalized: its documents can no longer be changed');
};

/** Adds and removes documents until the signature. */
@Injectable()
export class UploadsService {
  constructor(
    @Inject(DocumentStore) private readonly documents: DocumentStore,
    @Inject(CompanyStore) private readonly companies: CompanyStore,
    @Inject(SandboxClock) private readonly clock: SandboxClock,
  ) {}

  /**
   * Stores the uploaded files: adds them to the existing files of the document, or replaces these.
   * When it throws `PartnerError` 404, 409, 413, 415 or 422, nothing is stored.
   */
  async receive(token: string, request: FastifyRequest, replaces: boolean): Promise<UploadResult> {
    const place = await this.documents.place(token);
    if (place === null) throw partnerNotFound('upload URL', token);
    refuseFinalized(place);
    const begun: string[] = [];
    const { upload, rows } = await this.orNothing(
      begun,
      () => true,
      async () => {
        const arrived = await readUpload(request, takenAt(place), this.documents, begun);
        return { upload: arrived, rows: this.rowsOf(place, arrived) };
      },
    );
    // Whether the transaction was certainly not committed. After any other error the transaction
    // may have been committed; the periodic cleanup then deletes the chunks if they have no
    // document.
    const isRefusal = (error: unknown): boolean => error instanceof PartnerError;
    await this.orNothing(begun, isRefusal, () => this.keep(place, rows, replaces));
    const files = upload.files.map(({ id, name, mediaType }) => ({
      'file-type': mediaType,
      id,
      'user-file-name': name,
    }));
    return { company: place.company_id, files };
  }

  /**
   * Deletes the stored chunks when `work` fails with an error for which `isSure` is true; otherwise
   * leaves them to the periodic cleanup.
   */
  private async orNothing<T>(
    begun: readonly string[],
    isSure: (error: unknown) => boolean,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isSure(error)) await this.documents.dropChunks(begun).catch(() => undefined);
      throw error;
    }
  }

  /** Removes a document. Throws `PartnerError` 404 or 409. */
  async remove(scope: PartnerScope, companyId: string, documentId: string): Promise<void> {
    await this.documents.database.transaction(async (tx) => {
      refuseFinalized(await this.companies.lock(tx, scope, companyId));
      const count = await this.documents.delete(tx, companyId, [documentId]);
      if (count === 0) throw partnerNotFound('document', documentId);
      await this.companies.touch(tx, companyId);
    });
  }

  /**
   * The rows of an upload: an identity card has two sides and metadata; other documents have
   * neither.
   */
  private rowsOf(place: UploadPlace, { files, meta }: ArrivedUpload): readonly DocumentRow[] {
    if (files.length === 0) throw invalidFields({ field: 'file', message: 'is required' });
    const isCard = place.document === 'idcard';
    if (isCard && files.length !== SIDES_OF_A_CARD) {
      throw invalidFields({ field: 'file', message: 'is required twice: front and back' });
    }
    if (!isCard && meta !== undefined) {
      throw invalidFields({ field: 'meta', message: 'is accepted for identity documents only' });
    }
    const card = isCard ? readIdentityMeta(meta, parisDay(this.clock.now())) : null;
    return files.map(({ id, name, mediaType, sizeBytes }) => ({
      id,
      token: place.token,
      name,
      media_type: mediaType,
      size_bytes: sizeBytes,
      date_issue: card?.['date-issue'] ?? null,
      date_expiry: card?.['date-expiry'] ?? null,
      number: card?.number ?? null,
    }));
  }

  /**
   * Stores the documents after repeating the checks under the lock: meanwhile the merchant may have
   * signed, or the person may have been removed.
   */
  private async keep(
    { token, company_id: companyId }: UploadPlace,
    rows: readonly DocumentRow[],
    replaces: boolean,
  ): Promise<void> {
    await this.documents.database.transaction(async (tx) => {
      await this.companies.lockById(tx, companyId);
      const place = await this.documents.placeIn(tx, token);
      if (place === null) throw partnerNotFound('upload URL', token);
      refuseFinalized(place);
      if (replaces) {
        await this.documents.delete(tx, companyId, await this.documents.idsAt(tx, token));
      }
      if ((await this.documents.count(tx, companyId)) + rows.length > MAX_DOCUMENTS) {
        throw notAllowed(`a company has at most ${MAX_DOCUMENTS} documents`);
      }
      const at = this.clock.now();
      for (const row of rows) await this.documents.insert(tx, companyId, row, at);
      await this.companies.touch(tx, companyId);
    });
  }
}
