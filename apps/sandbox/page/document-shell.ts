import { html, type SafeHtml } from './web/html.js';
import type { Locale } from './web/locale.js';

/** Who looks at the page, and from where. */
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

/** What every page of the payer has around it. */
export const documentShell = (shell: Shell): SafeHtml => html`
<!doctype html>
<html lang="${shell.locale}" data-framed="${shell.isFramed ? 'yes' : 'no'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${shell.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page-assets/base.css">
<link rel="stylesheet" href="/page-assets/page.css">
<link rel="stylesheet" href="/page-assets/debit.css">
<script type="module" src="/page-assets/${shell.script ?? 'page.js'}"></script>
</head>
<body>${shell.body}${shell.data}</body>
</html>`;
