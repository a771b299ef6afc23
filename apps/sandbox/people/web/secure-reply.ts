import type { FastifyReply } from 'fastify';
import type { SafeHtml } from './html.js';

/** What a page may load and who may show it; all else is forbidden. */
export interface PagePolicy {
  /** The sites that may frame the page, as the header spells them. */
  readonly frameAncestors: string;
  /** The sites that the page may frame, as the header spells them. */
  readonly frames: string;
  /** Its forms are sent to this origin by the browser, without a script; else none are sent. */
  readonly forms?: boolean;
}

const contentSecurityPolicy = ({ frameAncestors, frames, forms }: PagePolicy): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${frames}`,
    `frame-ancestors ${frameAncestors}`,
    `form-action ${forms === true ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Sends a page that nobody stores and that tells no other site where the payer was. */
export const sendPage = (
  reply: FastifyReply,
  status: number,
  page: SafeHtml,
  policy: PagePolicy,
): void => {
  void reply
    // Who may frame the page is said below; an older header would forbid it to all.
    .removeHeader('x-frame-options')
    .status(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy(policy))
    .header('cache-control', 'no-store')
    // Without a referrer a form would not say its origin either.
    .header('referrer-policy', policy.forms === true ? 'same-origin' : 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), usb=(), payment=()')
    .header('vary', 'accept-language')
    .send(page.text);
};
