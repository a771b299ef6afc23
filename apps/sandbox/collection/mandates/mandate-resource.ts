import { epochSeconds } from '../../api/epoch-seconds.js';
import type { MandateRow } from './mandate-row.js';

/**
 * Signing and uploading need no key but the token of their addresses, so these are not of v2. Only
 * the page's mandates are signed by their payer, on the page.
 */
export const mandateResource = (row: MandateRow, baseUrl: string) => ({
  id: row.id,
  created_at: epochSeconds(row.created_at),
  customer: row.customer_id,
  sepa: row.sepa_id,
  rum: row.rum,
  sign_url:
    row.status === 'unsigned' && row.origin === 'page'
      ? `${baseUrl}/mandates/${row.sign_token}`
      : null,
  upload_url: row.origin === 'import' ? `${baseUrl}/mandate-documents/${row.upload_token}` : null,
  url: row.signed_at === null ? null : `${baseUrl}/v2/mandates/${row.id}.pdf`,
  signed_at: row.signed_at === null ? null : epochSeconds(row.signed_at),
  deleted_at: row.deleted_at === null ? null : epochSeconds(row.deleted_at),
});
