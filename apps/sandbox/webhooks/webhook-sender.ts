import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Agent, request } from 'undici';
import { guardedLookup, refuseWrittenAddress } from './address-guard.js';
import { signatureHeader } from './signature.js';

/** Specification: what takes longer is a failure. Real time. */
const ATTEMPT_MS = 10_000;
const KEPT_ALIVE_MS = 30_000;
const MAX_ANSWER_BYTES = 65_536;

/** How one attempt ended. `error` is a short word for the log, never a body. */
export type AttemptOutcome =
  | { readonly kind: 'http'; readonly status: number }
  | { readonly kind: 'error'; readonly error: string };

/** Only these two count as received. */
export const isReceived = (outcome: AttemptOutcome): boolean =>
  outcome.kind === 'http' && (outcome.status === 200 || outcome.status === 204);

const causeOf = (error: unknown): string => {
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_ABORTED') return 'connection_lost';
  return typeof code === 'string' ? code : String(name);
};

/**
 * Whom connections trust: the public authorities, and those of a file beside them. Read once, as
 * these certificates take 27 ms, in which nothing else runs, and each connection would read them
 * anew. Without a file of ours the system's own trust stays.
 */
const trustOf = (caFile: string | null): { readonly secureContext?: SecureContext } => {
  if (caFile === null) return {};
  const ca = [...rootCertificates, readFileSync(caFile, 'utf8')];
  return { secureContext: createSecureContext({ ca }) };
};

/** Sends events over https, with certificates checked and connections kept. No redirects. */
export class WebhookSender {
  private readonly agent: Agent;

  constructor(
    private readonly allowLoopback: boolean,
    caFile: string | null,
  ) {
    this.agent = new Agent({
      // As many as there are attempts: none waits for a socket while its 10 s run.
      connections: null,
      keepAliveTimeout: KEPT_ALIVE_MS,
      headersTimeout: ATTEMPT_MS,
      bodyTimeout: ATTEMPT_MS,
      connect: {
        timeout: ATTEMPT_MS,
        ...trustOf(caFile),
        lookup: guardedLookup(allowLoopback),
      },
    });
  }

  /** One attempt. Never throws: every way to fail is an outcome. */
  async send(url: string, body: string, secretHex: string): Promise<AttemptOutcome> {
    try {
      const target = new URL(url);
      if (target.protocol !== 'https:') return { kind: 'error', error: 'not_https' };
      refuseWrittenAddress(target, this.allowLoopback);
      const signal = AbortSignal.timeout(ATTEMPT_MS);
      const response = await request(target, {
        method: 'POST',
        dispatcher: this.agent,
        signal,
        headers: {
          'content-type': 'application/json',
          'service-signature': signatureHeader(body, secretHex, Date.now()),
        },
        body,
      });
      // Without the signal an answer that never ends would count as a whole one.
      await response.body.dump({ limit: MAX_ANSWER_BYTES, signal });
      return { kind: 'http', status: response.statusCode };
    } catch (error) {
      return { kind: 'error', error: causeOf(error) };
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}
