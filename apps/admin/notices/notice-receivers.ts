import { createTransport } from 'nodemailer';
import type { NoticeChannel } from '#operations';
import { GuardedPost, POST_ABORTED } from '#platform';
import type { EmailConfig, NoticeConfig } from '../notice-config.js';
import type { NoticeText } from './notice-text.js';

/** Sends to one receiver. `send` returns a short error without secrets; null: it was accepted. */
export interface NoticeReceiver {
  readonly send: (text: NoticeText, messageId: string) => Promise<string | null>;
  readonly close: () => Promise<void>;
}

/**
 * The time limits of an attempt, in milliseconds. They are shorter than the shortest time until the
 * next attempt.
 */
const ATTEMPT_MS = 15_000;
const EMAIL_MS = 40_000;

/** The characters that have a special meaning in messages of chat programs. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const webhookReceiver = (url: string, allowsLoopback: boolean): NoticeReceiver => {
  const post = new GuardedPost({ timeoutMs: ATTEMPT_MS, allowsLoopback, allowsHttp: true });
  return {
    send: async ({ text }) => {
      const body = JSON.stringify({ text: escaped(text) });
      const result = await post.send(url, { 'content-type': 'application/json' }, body);
      if (result.kind === 'error') return result.error;
      return result.status >= 200 && result.status < 300 ? null : `status ${result.status}`;
    },
    close: () => post.close(),
  };
};

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** The code of an error of the mail library; its message may contain addresses. */
const errorOf = (error: unknown): string => {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return [code, responseCode].filter((one) => one !== undefined).join(' ') || 'error';
};

/** Without implicit TLS, STARTTLS is required, except to a loopback address in development. */
const emailReceiver = (
  { smtpUrl, from, to }: EmailConfig,
  allowsLoopback: boolean,
): NoticeReceiver => {
  const url = new URL(smtpUrl);
  const isSecure = url.protocol === 'smtps:';
  const isPlain = allowsLoopback && LOOPBACK.test(url.hostname);
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    requireTLS: !isSecure && !isPlain,
    ignoreTLS: isPlain && !isSecure,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: ATTEMPT_MS,
    greetingTimeout: ATTEMPT_MS,
    socketTimeout: ATTEMPT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  /** Ends the open attempts, which the library's `close` does not. */
  const ends = new Set<(error: string) => void>();
  return {
    send: ({ subject, text }, messageId) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => end('timeout'), EMAIL_MS).unref();
        const end = (error: string | null): void => {
          clearTimeout(timer);
          ends.delete(end);
          resolve(error);
        };
        ends.add(end);
        const sent = transport.sendMail({ from, to: [...to], subject, text, messageId });
        sent.then(
          () => end(null),
          (error: unknown) => end(errorOf(error)),
        );
      }),
    close: async () => {
      for (const end of ends) end(POST_ABORTED);
      transport.close();
    },
  };
};

/** The configured receivers. */
export const receiversOf = ({
  webhookUrl,
  email,
  allowsLoopback,
}: NoticeConfig): ReadonlyMap<NoticeChannel, NoticeReceiver> =>
  new Map([
    ...(webhookUrl === null
      ? []
      : ([['webhook', webhookReceiver(webhookUrl, allowsLoopback)]] as const)),
    ...(email === null ? [] : ([['email', emailReceiver(email, allowsLoopback)]] as const)),
  ]);
