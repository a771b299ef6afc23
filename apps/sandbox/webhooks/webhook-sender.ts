import { GuardedPost, type PostResult } from '#platform';
import { signatureHeader } from './signature.js';

/** The specified timeout of an attempt, in real time. */
const ATTEMPT_MS = 10_000;

/** Whether the endpoint has received the event: only these two statuses confirm it. */
export const isReceived = (outcome: PostResult): boolean =>
  outcome.kind === 'http' && (outcome.status === 200 || outcome.status === 204);

/** Sends events, signed as the provider signs them. */
export class WebhookSender {
  private readonly post: GuardedPost;

  constructor(allowsLoopback: boolean, caFile: string | null) {
    this.post = new GuardedPost({ timeoutMs: ATTEMPT_MS, allowsLoopback, caFile });
  }

  /** Makes one attempt. Never throws: every failure is returned as a result. */
  send(url: string, body: string, secretHex: string): Promise<PostResult> {
    const headers = {
      'content-type': 'application/json',
      'service-signature': signatureHeader(body, secretHex, Date.now()),
    };
    return this.post.send(url, headers, body);
  }

  async close(): Promise<void> {
    await this.post.close();
  }
}
