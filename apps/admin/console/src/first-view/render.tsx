import { Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import appStyle from '../app.css?inline';
import { en } from '../i18n/en';
import { fr } from '../i18n/fr';
import { FixedLanguage, type Language } from '../i18n/i18n';
import overviewStyle from '../overview/overview.module.css?inline';
import shellStyle from '../shell/shell.module.css?inline';
import { cssVariables, theme } from '../theme';
import firstViewStyle from './first-view.css?inline';
import { FirstView, firstViewTiles, TILES } from './first-view';

const DICTIONARIES = { en, fr } as const satisfies Record<Language, unknown>;

/** The theme's variables, which the component library sets later from the same source. */
const variables = (): string => {
  const {
    light,
    dark,
  }: Record<'light' | 'dark', Readonly<Record<string, string>>> = cssVariables(
    {} as Parameters<typeof cssVariables>[0],
  );
  const colors = Object.entries(light).map(
    ([name, value]) => `${name}:light-dark(${value},${dark[name] ?? value})`,
  );
  const fonts = [
    `--mantine-font-family:${theme.fontFamily ?? 'system-ui'}`,
    `--mantine-font-family-monospace:${theme.fontFamilyMonospace ?? 'monospace'}`,
  ];
  return `#first-view{${[...colors, ...fonts].join(';')}}`;
};

const markupOf = (language: Language, content: ReactNode): string =>
  renderToStaticMarkup(
    <FixedLanguage language={language} t={DICTIONARIES[language]}>
      <Router ssrPath="/">
        <Fragment>{content}</Fragment>
      </Router>
    </FixedLanguage>,
  );

const viewOf = (language: Language, isLimited: boolean) => {
  const [start = '', end = ''] = markupOf(language, <FirstView isLimited={isLimited} />).split(
    TILES,
  );
  const tiles = firstViewTiles(DICTIONARIES[language]).map(({ name, calm, trouble }) => ({
    name,
    calm: markupOf(language, calm),
    trouble: markupOf(language, trouble),
  }));
  return { start, tiles, end };
};

/**
 * The markup of the first view in each language, for unlimited and for limited users, and its style
 * sheet. Written to a file when the console is built; the admin app inserts the numbers.
 */
export const firstViews = {
  style: [variables(), appStyle, shellStyle, overviewStyle, firstViewStyle].join('\n'),
  views: Object.fromEntries(
    (Object.keys(DICTIONARIES) as Language[]).map((language) => [
      language,
      { unlimited: viewOf(language, false), limited: viewOf(language, true) },
    ]),
  ),
};
