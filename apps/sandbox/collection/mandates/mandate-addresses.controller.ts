import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../api/api-error.js';
import { sendPdf } from './document-reply.js';
import { MandateDocuments } from './mandate-documents.js';
import { MandateResources } from './mandate-resources.js';

/**
 * The URLs at which payers sign a mandate and merchants upload its document. The token in the URL
 * is the only authorization.
 */
@Controller()
export class MandateAddressesController {
  constructor(
    private readonly documents: MandateDocuments,
    private readonly resources: MandateResources,
  ) {}

  /**
   * Receives the upload at `upload_url`: the request body is the document, whatever its declared
   * type.
   */
  @Post('mandate-documents/:token')
  @HttpCode(200)
  async upload(@Param('token') token: string, @Req() { body }: FastifyRequest) {
    if (!Buffer.isBuffer(body)) {
      throw new ApiError(415, { error: 'Unsupported media type: send the document as the body' });
    }
    return this.resources.mandate(await this.documents.upload(token, body));
  }

  /** Serves `sign_url`: redirects to the payment page, where the payer signs. */
  @Get('mandates/:token')
  async sign(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { intent_id: intentId } = await this.documents.bySignToken(token);
    void reply.header('cache-control', 'no-store').redirect(`/pay/${intentId}`, 303);
  }

  /** Serves the document that the page links to after signing. */
  @Get('mandates/:token/document.pdf')
  async document(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const mandate = await this.documents.bySignToken(token);
    sendPdf(reply, mandate, await this.documents.read(mandate));
  }
}
