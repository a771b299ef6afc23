import { htmlDocument } from '../web/html-document.js';
import { html, type SafeHtml } from '../web/html.js';
import type { Locale } from '../web/locale.js';

/** The reader's language, and whether the page is in a frame. */
export interface Audience {
  readonly locale: Locale;
  readonly isFramed: boolean;
}

interface Shell extends Audience {
  readonly title: string;
  readonly data: SafeHtml | null;
  readonly body: SafeHtml;
  /** The name of the page's script among the page's assets. */
  readonly script?: string;
}

/** The HTML that surrounds the content of every page shown to the payer. */
export const documentShell = ({ locale, title, body, data, isFramed, script }: Shell): SafeHtml =>
  htmlDocument({
    locale,
    title,
    flags: { framed: isFramed ? 'yes' : 'no' },
    styles: ['/page-assets/page.css', '/page-assets/debit.css'],
    script: `/page-assets/${script ?? 'page.js'}`,
    body: html`${body}${data}`,
  });
