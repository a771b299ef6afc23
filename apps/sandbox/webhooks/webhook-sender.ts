import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import { guardedLookup, refuseWrittenAddress } from './address-guard.js';
import { signatureHeader } from './signature.js';

/** The specified timeout of an attempt, in real time. */
const ATTEMPT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;
const MAX_ANSWER_BYTES = 65_536;

/** The result of one attempt. `error` is a short code for the log, never a body. */
export type AttemptOutcome =
  | { readonly kind: 'http'; readonly status: number }
  | { readonly kind: 'error'; readonly error: string };

/** Whether the endpoint has received the event: only these two statuses confirm it. */
export const isReceived = (outcome: AttemptOutcome): boolean =>
  outcome.kind === 'http' && (outcome.status === 200 || outcome.status === 204);

const causeOf = (error: unknown): string => {
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_ABORTED') return 'connection_lost';
  return typeof code === 'string' ? code : String(name);
};

const TIMEOUT = Object.assign(new Error('The receiver did not respond in time'), {
  code: 'timeout',
});

/**
 * The trusted certificate authorities: the public ones and those of the configured file. Parsed
 * only once instead of for each connection, because parsing blocks the process for 27 ms. Without a
 * file, Node's default applies.
 */
const trustOf = (caFile: string | null): { readonly secureContext?: SecureContext } => {
  if (caFile === null) return {};
  const ca = [...rootCertificates, readFileSync(caFile, 'utf8')];
  return { secureContext: createSecureContext({ ca }) };
};

/**
 * Sends events over https with verified certificates and keep-alive connections. Redirects are not
 * followed.
 */
export class WebhookSender {
  private readonly agent: Agent;

  constructor(
    private readonly allowLoopback: boolean,
    caFile: string | null,
  ) {
    this.agent = new Agent({
      // The number of sockets is unlimited, so that no attempt waits for a socket during its 10 s;
      // the number of attempts is limited instead.
      connections: null,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: ATTEMPT_MS,
      bodyTimeout: ATTEMPT_MS,
      connect: {
        timeout: ATTEMPT_MS,
        ...trustOf(caFile),
        lookup: guardedLookup(allowLoopback),
      },
    });
  }

  /** Makes one attempt. Never throws: every failure is returned as a result. */
  async send(url: string, body: string, secretHex: string): Promise<AttemptOutcome> {
    try {
      const target = new URL(url);
      if (target.protocol !== 'https:') return { kind: 'error', error: 'not_https' };
      refuseWrittenAddress(target, this.allowLoopback);
      const request = {
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'service-signature': signatureHeader(body, secretHex, Date.now()),
        },
        body,
      } as const;
      return { kind: 'http', status: await this.statusOf(request) };
    } catch (error) {
      return { kind: 'error', error: causeOf(error) };
    }
  }

  /**
   * Resolves with the status when the response has ended, or when the maximum number of bytes was
   * read. Uses `dispatch`, because a body stream and an abort signal per attempt would cost more
   * than the request itself.
   */
  private statusOf(request: Dispatcher.DispatchOptions): Promise<number> {
    return new Promise((resolve, reject) => {
      let ended = false;
      let status = 0;
      let bytes = 0;
      let controller: Dispatcher.DispatchController | null = null;
      const end = (settle: () => void): void => {
        ended = true;
        clearTimeout(timer);
        settle();
      };
      const abort = (): void => controller?.abort(new Error('the attempt has ended'));
      const timer = setTimeout(() => {
        end(() => reject(TIMEOUT));
        abort();
      }, ATTEMPT_MS);
      this.agent.dispatch(request, {
        onRequestStart: (started) => {
          controller = started;
          if (ended) abort();
        },
        onResponseStart: (_controller, code) => {
          status = code;
        },
        onResponseData: (_controller, chunk) => {
          bytes += chunk.length;
          if (ended || bytes <= MAX_ANSWER_BYTES) return;
          end(() => resolve(status));
          abort();
        },
        onResponseEnd: () => end(() => resolve(status)),
        onResponseError: (_controller, error) => end(() => reject(error)),
      });
    });
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}
