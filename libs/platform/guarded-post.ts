import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import {
  AddressRefused,
  type AllowedAddresses,
  guardedLookup,
  refuseWrittenAddress,
} from './address-guard.js';

const KEEP_ALIVE_MS = 30_000;
const MAX_ANSWER_BYTES = 65_536;

/**
 * The result of one request. `error` is a short code, never a body. `cause` is a sentence that only
 * operators may see.
 */
export type PostResult =
  | { readonly kind: 'http'; readonly status: number; readonly body: string }
  | { readonly kind: 'error'; readonly error: string; readonly cause?: string };

/** The error of a request that `close` has aborted: the receiver may have received the request. */
export const POST_ABORTED = 'aborted';

/**
 * The error of a request whose host has no address, or an address that is not public. Both cases
 * have the same code: otherwise, the author of the URLs would learn which names exist in a private
 * network.
 */
export const NO_PUBLIC_ADDRESS = 'no_public_address';

export interface GuardedPostOptions extends AllowedAddresses {
  /** The time limit of a request from its start to the end of the response. */
  readonly timeoutMs: number;
  /** Whether `http:` is allowed for loopback addresses. */
  readonly allowsHttp?: boolean;
  /** A file with certificate authorities that are trusted in addition to the public authorities. */
  readonly caFile?: string | null;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether a URL that others have chosen may be requested by plain `http:`. */
export const isLoopbackHttp = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK_HOSTS.has(hostname);

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
 * Sends POST requests to URLs that others have chosen: only to public IP addresses, over https with
 * verified certificates. Each name is resolved once, and the socket connects to a checked address.
 * Redirects are not followed. Connections are kept alive.
 */
export class GuardedPost {
  private readonly agent: Agent;
  private isClosed = false;

  constructor(private readonly options: GuardedPostOptions) {
    const { timeoutMs, caFile = null } = options;
    this.agent = new Agent({
      // The number of sockets is unlimited, so that no request waits for a socket during its time
      // limit; the callers limit the number of requests instead.
      connections: null,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: {
        timeout: timeoutMs,
        ...trustOf(caFile),
        lookup: guardedLookup(options),
      },
    });
  }

  /** Sends one request. Never throws: every failure is returned as a result. */
  async send(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<PostResult> {
    const { allowsLoopback, allowsHttp = false } = this.options;
    if (this.isClosed) return { kind: 'error', error: POST_ABORTED };
    try {
      const target = new URL(url);
      const isPlain = allowsLoopback && allowsHttp && isLoopbackHttp(target);
      if (target.protocol !== 'https:' && !isPlain) return { kind: 'error', error: 'not_https' };
      refuseWrittenAddress(target, this.options);
      const path = `${target.pathname}${target.search}`;
      const request = { origin: target.origin, path, method: 'POST', headers, body } as const;
      return { kind: 'http', ...(await this.answerTo(request)) };
    } catch (error) {
      if (this.isClosed) return { kind: 'error', error: POST_ABORTED };
      if (error instanceof AddressRefused) {
        return { kind: 'error', error: NO_PUBLIC_ADDRESS, cause: error.message };
      }
      return { kind: 'error', error: causeOf(error) };
    }
  }

  /**
   * Resolves when the response has ended, or when the maximum number of bytes was read. Uses
   * `dispatch`, because a body stream and an abort signal per request would cost more than the
   * request itself.
   */
  private answerTo(request: Dispatcher.DispatchOptions): Promise<Answer> {
    const { timeoutMs } = this.options;
    return new Promise((resolve, reject) => {
      let ended = false;
      let status = 0;
      let bytes = 0;
      const chunks: Buffer[] = [];
      let controller: Dispatcher.DispatchController | null = null;
      const end = (settle: () => void): void => {
        ended = true;
        clearTimeout(timer);
        settle();
      };
      const answer = (): Answer => ({ status, body: Buffer.concat(chunks).toString('utf8') });
      const abort = (): void => controller?.abort(new Error('the request has ended'));
      const timer = setTimeout(() => {
        end(() => reject(TIMEOUT));
        abort();
      }, timeoutMs);
      this.agent.dispatch(request, {
        onRequestStart: (started) => {
          controller = started;
          if (ended) abort();
        },
        onResponseStart: (_controller, code) => {
          status = code;
        },
        onResponseData: (_controller, chunk) => {
          if (ended) return;
          bytes += chunk.length;
          chunks.push(chunk);
          if (bytes <= MAX_ANSWER_BYTES) return;
          end(() => resolve(answer()));
          abort();
        },
        onResponseEnd: () => end(() => resolve(answer())),
        onResponseError: (_controller, error) => end(() => reject(error)),
      });
    });
  }

  /** Aborts the open requests, and sends no others. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.agent.destroy();
  }
}
