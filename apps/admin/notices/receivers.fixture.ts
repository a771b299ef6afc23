import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { NoticeConfig } from '../notice-config.js';

/** A mail as it was received: its recipients and its source. */
export interface Mail {
  readonly to: readonly string[];
  readonly source: string;
}

/** A chat program's webhook and a mail server, on loopback addresses. */
export class NoticeReceivers {
  readonly posts: string[] = [];
  readonly mails: Mail[] = [];
  /** The sources of the mails that were not accepted. */
  readonly refused: string[] = [];
  /** The status of the webhook's responses. */
  status = 200;
  /** Whether the mail server accepts mails. */
  acceptsMail = true;
  /** Awaited before the mail server accepts a mail. */
  beforeMail: () => Promise<void> = () => Promise.resolve();
  private readonly http: Server;
  private readonly smtp: SMTPServer;

  private constructor() {
    this.http = createServer((request, response) => {
      void text(request).then((body) => {
        if (this.status === 200) this.posts.push(body);
        response.writeHead(this.status).end();
      });
    });
    this.smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onData: (stream, session, callback) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', async () => {
          const source = Buffer.concat(parts).toString();
          await this.beforeMail();
          if (this.acceptsMail) {
            this.mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source });
            return callback();
          }
          this.refused.push(source);
          return callback(Object.assign(new Error('busy'), { responseCode: 451 }));
        });
      },
    });
  }

  static async start(): Promise<NoticeReceivers> {
    const receivers = new NoticeReceivers();
    receivers.http.listen(0, '127.0.0.1');
    const listening = receivers.smtp.listen(0, '127.0.0.1');
    await Promise.all([once(receivers.http, 'listening'), once(listening, 'listening')]);
    return receivers;
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await Promise.all([
      new Promise((resolve) => this.http.close(resolve)),
      new Promise<void>((resolve) => this.smtp.close(() => resolve())),
    ]);
  }

  /**
   * The configuration for notices to both receivers; each spec starts the rounds of sending itself.
   */
  get config(): NoticeConfig {
    const smtp = this.smtp.server.address() as AddressInfo;
    return {
      webhookUrl: `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/hook`,
      email: {
        smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
        from: 'payments@shop.test',
        to: ['desk@shop.test', 'night@shop.test'],
      },
      language: 'en',
      allowsLoopback: true,
      everyMs: 3_600_000,
    };
  }

  /** The texts that the webhook received since the last call. */
  texts(): readonly string[] {
    return this.posts.splice(0).map((body) => (JSON.parse(body) as { text: string }).text);
  }
}
