import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { cookieIn } from '../shared/cookie.js';

/**
 * The markup of the first view. For each kind of case, and for approvals, it has a tile for the
 * count 0 and a tile for other counts.
 */
interface View {
  readonly start: string;
  readonly tiles: readonly {
    readonly name: string;
    readonly calm: string;
    readonly trouble: string;
  }[];
  readonly end: string;
}

type ViewOfUser = Readonly<Record<'unlimited' | 'limited', View>>;

/**
 * The content of `first-view.json`, which the build of the console writes. The server replaces
 * `%COUNT%` by a number.
 */
interface FirstViewFile {
  readonly style: string;
  readonly views: Readonly<Record<string, ViewOfUser>>;
}

/** The facts from which the server builds the first view for a user. */
export interface FirstViewFacts {
  /** The number of open cases of each kind, and of `approvals`. */
  readonly counts: ReadonlyMap<string, number>;
  readonly isLimited: boolean;
}

/** The language of the user's choice, else the first one that the browser asks for, else English. */
const languageOf = (request: FastifyRequest, isKnown: (language: string) => boolean): string => {
  const chosen = cookieIn(request.headers.cookie, 'console-language');
  if (chosen !== null && isKnown(chosen)) return chosen;
  const asked = (request.headers['accept-language'] ?? '').split(',', 20);
  return asked.map((tag) => tag.trim().slice(0, 2)).find(isKnown) ?? 'en';
};

/** The color scheme of the user's choice; empty: that of the browser. */
const schemeOf = (request: FastifyRequest): string => {
  const chosen = cookieIn(request.headers.cookie, 'console-scheme');
  return chosen === 'light' || chosen === 'dark' ? ` data-scheme="${chosen}"` : '';
};

/**
 * The upper part of the overview, with its numbers, as a part of the page itself. A browser on a
 * slow line shows it seconds before it has loaded the console's scripts, which then replace it.
 */
export class FirstView {
  private constructor(private readonly file: FirstViewFile) {}

  /**
   * Reads the first view from the folder of the built console; null if the console is not built.
   */
  static in(folder: string): FirstView | null {
    const path = join(folder, 'first-view.json');
    if (!existsSync(path)) return null;
    return new FirstView(JSON.parse(readFileSync(path, 'utf8')) as FirstViewFile);
  }

  /** The markup and its style sheet, whose nonce the page's security policy allows. */
  markup(request: FastifyRequest, { counts, isLimited }: FirstViewFacts, nonce: string): string {
    const { style, views } = this.file;
    const language = languageOf(request, (name) => Object.hasOwn(views, name));
    const view = views[language]?.[isLimited ? 'limited' : 'unlimited'];
    if (view === undefined) return '';
    const format = new Intl.NumberFormat(language);
    const tiles = view.tiles.map(({ name, calm, trouble }) => {
      const count = counts.get(name) ?? 0;
      return (count > 0 ? trouble : calm).replace('%COUNT%', format.format(count));
    });
    return (
      `<style nonce="${nonce}">${style}</style>` +
      `<div id="first-view" lang="${language}"${schemeOf(request)}>` +
      `${view.start}${tiles.join('')}${view.end}</div>`
    );
  }
}
