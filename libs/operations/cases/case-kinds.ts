import { BLOCKED_STREAM } from './blocked-stream.js';
import type { CaseSource } from './case-source.js';
import { FAILED_REACTION } from './failed-reaction.js';
import { FAILED_REQUEST } from './failed-request.js';
import { FAILING_ENDPOINT } from './failing-endpoint.js';
import { LAPSING_AUTHORIZATION } from './lapsing-authorization.js';
import { MISMATCH } from './mismatch.js';
import { RECONCILIATION_BREAK } from './reconciliation-break.js';
import { REJECTED_CAPTURE } from './rejected-capture.js';
import { SILENT_MERCHANT } from './silent-merchant.js';
import { UNKNOWN_RESULT } from './unknown-result.js';
import { UNPAID_REFUND } from './unpaid-refund.js';

/** The kinds of cases. The kind and the key of a case are its id, so a kind is never renamed. */
export const CASE_KINDS = [
  'unpaid_refund',
  'failed_request',
  'rejected_capture',
  'lapsing_authorization',
  'unknown_result',
  'mismatch',
  'reconciliation_break',
  'failed_reaction',
  'blocked_stream',
  'silent_merchant',
  'failing_endpoint',
] as const;

export type CaseKind = (typeof CASE_KINDS)[number];

export const CASE_SOURCES: Readonly<Record<CaseKind, CaseSource>> = {
  unpaid_refund: UNPAID_REFUND,
  failed_request: FAILED_REQUEST,
  rejected_capture: REJECTED_CAPTURE,
  lapsing_authorization: LAPSING_AUTHORIZATION,
  unknown_result: UNKNOWN_RESULT,
  mismatch: MISMATCH,
  reconciliation_break: RECONCILIATION_BREAK,
  failed_reaction: FAILED_REACTION,
  blocked_stream: BLOCKED_STREAM,
  silent_merchant: SILENT_MERCHANT,
  failing_endpoint: FAILING_ENDPOINT,
};
