import { GuardedPost, type PostResult } from '#platform';
import { signatureHeader } from './signature.js';

/** The specified timeout of an attempt, in real time. */
const ATTEMPT_MS = 10_000;

/** Whether the endpoint has confirmed the event: only the statuses 200 and 204 confirm it. */
export const isReceived = (outcome: PostResult): boolean =>
  outcome.kind === 'http' && (outcome.status === 200 || outcome.status === 204);

/** Sends events, signed as the provider signs them. */
export class WebhookSender {
  private readonly post: GuardedPost;
  /**
   * Also sends to http URLs. Used only for SANDBOX_FORWARD_URL, so that no account can have
   * webhooks sent without TLS.
   */
  private readonly forwardPost: GuardedPost;

  constructor(
    allowsLoopback: boolean,
    caFile: string | null,
    private readonly forwardUrl: string | null,
  ) {
    this.post = new GuardedPost({ timeoutMs: ATTEMPT_MS, allowsLoopback, caFile });
    this.forwardPost = new GuardedPost({
      timeoutMs: ATTEMPT_MS,
      allowsLoopback: true,
      allowsHttp: true,
    });
  }

  /** Makes one attempt. Never throws: every failure is returned as a result. */
  send(url: string, body: string, secretHex: string): Promise<PostResult> {
    const headers = {
      'content-type': 'application/json',
      'service-signature': signatureHeader(body, secretHex, Date.now()),
    };
    const post = url === this.forwardUrl ? this.forwardPost : this.post;
    return post.send(url, headers, body);
  }

  async close(): Promise<void> {
    await Promise.all([this.post.close(), this.forwardPost.close()]);
  }
}
