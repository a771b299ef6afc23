import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { DevelopmentCertificate } from '#testing';

/** One received webhook. */
export interface Received {
  readonly path: string;
  readonly signature: string;
  readonly body: string;
  readonly wallMs: number;
}

/** A merchant's HTTPS webhook receiver. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** The response that the receiver sends from now on; null when it never responds. */
  answer: { status: number; headers?: Record<string, string>; afterMs?: number } | null;
  close(): Promise<void>;
}

export const startReceiver = async (certificate: DevelopmentCertificate): Promise<Receiver> => {
  const received: Received[] = [];
  const server: Server = createServer(
    { cert: readFileSync(certificate.certFile), key: readFileSync(certificate.keyFile) },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({
          path: request.url ?? '',
          signature: String(request.headers['service-signature']),
          body: Buffer.concat(chunks).toString('utf8'),
          wallMs: Date.now(),
        });
        const { answer } = receiver;
        if (answer === null) return;
        const { status, headers, afterMs } = answer;
        const reply = () => void response.writeHead(status, headers).end();
        if (afterMs === undefined) reply();
        else setTimeout(reply, afterMs);
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `https://localhost:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: { status: 200 },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
};
