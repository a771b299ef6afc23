import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type Instant, MINUTE_MS } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { Database, type Transaction } from '../../storage/database.js';
import type { DocumentKind, DocumentRow } from '../companies/company-row.js';
import type { CompanyStatus } from '../companies/company-status.js';
import { isToken } from '../companies/company-store.js';

const ADD_CHUNK = {
  name: 'documents:add-chunk',
  text: 'INSERT INTO onboarding_document_chunks (document_id, n, bytes) VALUES ($1, $2, $3)',
};
const READ_CHUNK = {
  name: 'documents:read-chunk',
  text: 'SELECT bytes FROM onboarding_document_chunks WHERE document_id = $1 AND n = $2',
};
const DROP_CHUNKS = {
  name: 'documents:drop-chunks',
  text: 'DELETE FROM onboarding_document_chunks WHERE document_id = ANY ($1)',
};
/** The interval, in real time, between checks for interrupted uploads. */
const SWEEP_MS = 10 * MINUTE_MS;
/**
 * Deletes chunks without a document that are older than an hour: their uploads were interrupted,
 * because a request times out much earlier, also over HTTP/2.
 */
const DROP_LOST = {
  name: 'documents:drop-lost',
  text: `DELETE FROM onboarding_document_chunks c
         WHERE arrived_wall_at < now() - interval '1 hour' AND NOT EXISTS (
           SELECT FROM onboarding_documents d WHERE d.id = c.document_id)`,
};
const PLACE = {
  name: 'documents:place',
  text: `SELECT u.token, u.document, u.company_id, c.status
         FROM onboarding_uploads u JOIN onboarding_companies c ON c.id = u.company_id
         WHERE u.token = $1`,
};
const INSERT = {
  name: 'documents:insert',
  text: `INSERT INTO onboarding_documents (id, company_id, token, name, media_type, size_bytes,
           date_issue, date_expiry, number, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};
const AT_PLACE = {
  name: 'documents:at-place',
  text: 'SELECT id FROM onboarding_documents WHERE token = $1',
};
const COUNT = {
  name: 'documents:count',
  text: 'SELECT count(*)::int AS count FROM onboarding_documents WHERE company_id = $1',
};
const DELETE = {
  name: 'documents:delete',
  text: 'DELETE FROM onboarding_documents WHERE id = ANY ($1) AND company_id = $2 RETURNING id',
};

/**
 * One expected document, with the status of its company: uploads are accepted until the signature.
 */
export interface UploadPlace {
  readonly token: string;
  readonly document: DocumentKind;
  readonly company_id: string;
  readonly status: CompanyStatus;
}

/** Documents in the database: stored in chunks, so that no whole document is in memory. */
@Injectable()
export class DocumentStore implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    @Inject(Database) readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Starts the cleanup of chunks without a document, which uploads leave when the process crashes.
   */
  onApplicationBootstrap(): void {
    this.sweep();
    this.sweeping = setInterval(() => this.sweep(), SWEEP_MS);
    this.sweeping.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.sweeping);
  }

  private sweep(): void {
    this.database.query(DROP_LOST).catch((err: unknown) => {
      this.logger.warn({ err }, 'could not check for interrupted uploads');
    });
  }

  async place(token: string): Promise<UploadPlace | null> {
    if (!isToken(token)) return null;
    const [row] = await this.database.query<UploadPlace>(PLACE, [token]);
    return row ?? null;
  }

  async placeIn(tx: Transaction, token: string): Promise<UploadPlace | null> {
    const [row] = await tx.query<UploadPlace>(PLACE, [token]);
    return row ?? null;
  }

  async addChunk(documentId: string, n: number, bytes: Buffer): Promise<void> {
    await this.database.query(ADD_CHUNK, [documentId, n, bytes]);
  }

  /**
   * Reads the content of a document, one chunk at a time. Throws when the document is deleted
   * meanwhile.
   */
  async *content({ id, size_bytes: sizeBytes }: DocumentRow): AsyncGenerator<Buffer> {
    let sent = 0;
    for (let n = 0; sent < sizeBytes; n += 1) {
      const [row] = await this.database.query<{ bytes: Buffer }>(READ_CHUNK, [id, n]);
      if (row === undefined) throw new Error(`the document ${id} was deleted while it was read`);
      sent += row.bytes.length;
      yield row.bytes;
    }
  }

  async dropChunks(documentIds: readonly string[]): Promise<void> {
    if (documentIds.length > 0) await this.database.query(DROP_CHUNKS, [documentIds]);
  }

  async insert(
    tx: Transaction,
    companyId: string,
    document: DocumentRow,
    at: Instant,
  ): Promise<void> {
    const { id, token, name, media_type: type, size_bytes: size } = document;
    const { date_issue: issue, date_expiry: expiry, number } = document;
    await tx.query(INSERT, [id, companyId, token, name, type, size, issue, expiry, number, at]);
  }

  async idsAt(tx: Transaction, token: string): Promise<readonly string[]> {
    return (await tx.query<{ id: string }>(AT_PLACE, [token])).map(({ id }) => id);
  }

  async count(tx: Transaction, companyId: string): Promise<number> {
    const [row] = await tx.query<{ count: number }>(COUNT, [companyId]);
    return row?.count ?? 0;
  }

  /** Deletes the company's documents with these ids and their content; returns their number. */
  async delete(tx: Transaction, companyId: string, ids: readonly string[]): Promise<number> {
    const deleted = (await tx.query<{ id: string }>(DELETE, [ids, companyId])).map(({ id }) => id);
    await tx.query(DROP_CHUNKS, [deleted]);
    return deleted.length;
  }
}
