import type { Instant } from '#kernel';
import { fixed, type StoredRow, table } from '../../storage/table.js';

/** A file that was sent as evidence: what tells it again. Its content is not kept. */
export interface EvidenceFile {
  readonly name: string;
  readonly type: string | null;
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** What a merchant says against a dispute. */
export interface Evidence {
  readonly text: string | null;
  readonly files: readonly EvidenceFile[];
}

export const EVIDENCE = table('dispute_evidence', 'dv', {
  id: fixed<string>(),
  dispute_id: fixed<string>(),
  text: fixed<Evidence['text']>(),
  files: fixed<Evidence['files']>(),
  created_at: fixed<Instant>(),
});

export type EvidenceRow = StoredRow<typeof EVIDENCE>;
