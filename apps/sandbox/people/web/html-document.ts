import { html, type SafeHtml } from './html.js';
import type { Locale } from './locale.js';

/** The parts that differ between pages. */
export interface HtmlDocument {
  readonly locale: Locale;
  readonly title: string;
  /** The `data-…` attributes of the html element, which styles select. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The URLs of the page's styles, in addition to those of all pages. */
  readonly styles: readonly string[];
  /** The URL of the page's script; null when the page has no script. */
  readonly script: string | null;
  /** The `data-…` attributes of the body, which the script reads. */
  readonly words?: Readonly<Record<string, string>>;
  readonly body: SafeHtml;
}

const dataAttributes = (values: Readonly<Record<string, string>> = {}): readonly SafeHtml[] =>
  Object.entries(values).map(([name, value]) => html` data-${name}="${value}"`);

/** A whole page, with a head that forbids indexing by search engines. */
export const htmlDocument = (page: HtmlDocument): SafeHtml =>
  html`
<!doctype html>
<html lang="${page.locale}"${dataAttributes(page.flags)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<link rel="icon" href="data:,">
${['/page-assets/base.css', ...page.styles].map(
  (style) => html` <link rel="stylesheet" href="${style}" />`,
)}
${page.script === null ? null : html`<script type="module" src="${page.script}"></script>`}
</head>
<body${dataAttributes(page.words)}>${page.body}</body>
</html>`;
