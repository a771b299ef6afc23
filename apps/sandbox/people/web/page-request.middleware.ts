import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, type NestMiddleware } from '@nestjs/common';

const MAX_BODY_BYTES = 4_096;

const refusalOf = (request: IncomingMessage): number | null => {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const site = request.headers['sec-fetch-site'];
  // Browsers always name the site of a request; other programs do not.
  if (site !== undefined && site !== 'same-origin') return 403;
  if (request.headers['transfer-encoding'] !== undefined) return 411;
  return Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES ? 413 : null;
};

const WHY: Readonly<Record<number, string>> = {
  403: 'this address accepts requests from its own page only',
  411: 'send the body with its Content-Length',
  413: `a body has at most ${MAX_BODY_BYTES} bytes here`,
};

/** Refuses requests from other sites and bodies above 4 KiB, before the body is read. */
@Injectable()
export class PageRequestMiddleware implements NestMiddleware {
  use(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    const status = refusalOf(request);
    if (status === null) {
      next();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ error: WHY[status] }));
  }
}
