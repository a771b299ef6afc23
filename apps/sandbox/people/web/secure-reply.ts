import type { FastifyReply } from 'fastify';
import type { SafeHtml } from './html.js';

/** What a page may load and which sites may frame it; everything else is forbidden. */
export interface PagePolicy {
  /** The sites that may frame the page, in the header's notation. */
  readonly frameAncestors: string;
  /** The sites that the page may frame, in the header's notation. */
  readonly frames: string;
  /**
   * Whether forms of the page may be submitted to this origin without a script; by default no form
   * may be submitted.
   */
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

/** Sends a page that browsers do not cache and whose links send no `Referer` to other sites. */
export const sendPage = (
  reply: FastifyReply,
  status: number,
  page: SafeHtml,
  policy: PagePolicy,
): void => {
  void reply
    // The Content-Security-Policy decides which sites may frame the page; `X-Frame-Options` would
    // forbid every site.
    .removeHeader('x-frame-options')
    .status(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy(policy))
    .header('cache-control', 'no-store')
    // With `no-referrer`, browsers would also omit the origin of a submitted form.
    .header('referrer-policy', policy.forms === true ? 'same-origin' : 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), usb=(), payment=()')
    .header('vary', 'accept-language')
    .send(page.text);
};
