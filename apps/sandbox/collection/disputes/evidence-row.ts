import type { Instant } from '#kernel';
import { fixed, type StoredRow, table } from '../../storage/table.js';

/** An evidence file, identified by its digest. Its content is not stored. */
export interface EvidenceFile {
  readonly name: string;
  readonly type: string | null;
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A merchant's evidence for a dispute. */
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
