import type { Instant } from '#kernel';
import type { CompanyFile } from './company-file.js';
import type { CompanyStatus } from './company-status.js';

/** A company's database row, without the columns used only for signing. */
export interface CompanyRow {
  readonly id: string;
  readonly partner: string;
  readonly live: boolean;
  readonly status: CompanyStatus;
  readonly by_hand: boolean;
  /** True when the service, not an operator, started the end of the contract. */
  readonly ended_by_service: boolean;
  readonly file: CompanyFile;
  readonly version: number;
  readonly account_id: string;
  readonly link_token: string;
  readonly created_at: Instant;
  readonly signed_at: Instant | null;
  readonly due_at: Instant | null;
}

export type DocumentKind = 'kbis' | 'iban' | 'idcard';

/** The upload URL of one expected document. */
export interface UploadRow {
  readonly token: string;
  readonly document: DocumentKind;
  readonly person_id: string | null;
}

/** One uploaded file, without its content. */
export interface DocumentRow {
  readonly id: string;
  readonly token: string;
  readonly name: string;
  readonly media_type: string;
  readonly size_bytes: number;
  readonly date_issue: string | null;
  readonly date_expiry: string | null;
  readonly number: string | null;
}

/** A company with its documents and upload URLs, as responses contain it. */
export interface FullCompany extends CompanyRow {
  readonly uploads: readonly UploadRow[];
  readonly documents: readonly DocumentRow[];
}
