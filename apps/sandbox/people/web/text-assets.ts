import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface TextAsset {
  readonly type: string;
  readonly body: string;
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

const readAsset = (folder: string, name: string): TextAsset => {
  const body = readFileSync(join(folder, name), 'utf8');
  const digest = createHash('sha256').update(body).digest('base64url');
  return { type: TYPES[extname(name)] ?? 'text/plain; charset=utf-8', body, etag: `"${digest}"` };
};

/**
 * The scripts and styles of a folder, read once when the app starts. Only these files are served,
 * so a request's path never reaches the file system.
 */
export class TextAssets {
  private readonly assets: ReadonlyMap<string, TextAsset>;

  constructor(folder: string) {
    const names = readdirSync(folder).filter((name) => extname(name) in TYPES);
    this.assets = new Map(names.map((name) => [name, readAsset(folder, name)]));
  }

  /**
   * Responds with the file; with 304 when the browser already has the current version; with 404
   * when no such file exists.
   */
  send(name: string, request: FastifyRequest, reply: FastifyReply): void {
    const asset = this.assets.get(name);
    if (asset === undefined) {
      void reply.status(404).send();
      return;
    }
    void reply
      .header('etag', asset.etag)
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'same-origin');
    if (request.headers['if-none-match'] === asset.etag) void reply.status(304).send();
    else void reply.header('content-type', asset.type).send(asset.body);
  }
}
