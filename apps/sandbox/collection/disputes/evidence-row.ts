import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';

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

export interface EvidenceRow extends Evidence {
  readonly id: string;
  readonly dispute_id: string;
  readonly created_at: Instant;
}

export const EVIDENCE = table<EvidenceRow>('dispute_evidence', 'dv', {
  id: 'fixed', dispute_id: 'fixed', text: 'fixed', files: 'fixed', created_at: 'fixed',
});
