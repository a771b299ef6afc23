/** Text that is HTML already: the only kind of value that `html` inserts unescaped. */
export class SafeHtml {
  constructor(readonly text: string) {}
}

type Part = string | number | SafeHtml | readonly SafeHtml[] | null;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const render = (part: Part): string => {
  if (part === null) return '';
  if (part instanceof SafeHtml) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return part.map((safe) => safe.text).join('');
};

/**
 * A template that escapes the inserted values for text and for quoted attributes; `null` inserts
 * nothing.
 */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): SafeHtml =>
  new SafeHtml(
    literals.reduce((text, literal, index) => {
      const part = parts[index - 1];
      return text + (part === undefined ? '' : render(part)) + literal;
    }),
  );

/**
 * The server's data for the page's script, as a data block: it never runs as a script, and contains
 * no `<` that could end the element early.
 */
export const dataBlock = (id: string, data: object): SafeHtml => {
  const json = JSON.stringify(data).replace(/</g, '\\u003c');
  return new SafeHtml(`<script type="application/json" id="${escapeText(id)}">${json}</script>`);
};
