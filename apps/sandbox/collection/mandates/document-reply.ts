import type { FastifyReply } from 'fastify';
import type { MandateRow } from './mandate-resource.js';

/** Sends a mandate's document with headers that forbid caching. */
export const sendPdf = (reply: FastifyReply, { id }: MandateRow, document: Buffer): void => {
  void reply
    .status(200)
    .header('content-type', 'application/pdf')
    .header('content-disposition', `inline; filename="${id}.pdf"`)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .header('referrer-policy', 'no-referrer')
    .send(document);
};
