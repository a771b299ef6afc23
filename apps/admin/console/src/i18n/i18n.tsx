import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { rememberPreference } from '../first-view/first-view-page';
import { type Dictionary, en } from './en';

/** The languages of the console; each implements the shape of the English dictionary. */
export const LANGUAGES = { en: 'English', fr: 'Français' } as const;

export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = 'console-language';

const isLanguage = (text: string | undefined | null): text is Language =>
  text !== undefined && text !== null && text in LANGUAGES;

/** The stored choice of the user; without one, the browser's first supported language. */
const firstLanguage = (): Language => {
  const stored = localStorage.getItem(STORAGE_KEY);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
};

interface I18n {
  readonly language: Language;
  /** The locale of numbers and dates; it includes the viewer's region if the language matches. */
  readonly locale: string;
  readonly t: Dictionary;
  readonly choose: (language: Language) => void;
}

const I18nContext = createContext<I18n>({ language: 'en', locale: 'en', t: en, choose: () => {} });

const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.startsWith(language)) ?? language;

const load = async (language: Language): Promise<Dictionary> =>
  language === 'fr' ? (await import('./fr')).fr : en;

/**
 * Renders nothing until the dictionary is loaded, so that no text appears first in another
 * language.
 */
export const I18nProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, setLanguage] = useState(firstLanguage);
  const [loaded, setLoaded] = useState<{ language: Language; t: Dictionary } | null>(null);
  useEffect(() => {
    let isWanted = true;
    void load(language).then((t) => {
      if (isWanted) setLoaded({ language, t });
    });
    document.documentElement.lang = language;
    rememberPreference('language', language);
    return () => {
      isWanted = false;
    };
  }, [language]);
  if (loaded === null) return null;
  const choose = (next: Language): void => {
    localStorage.setItem(STORAGE_KEY, next);
    setLanguage(next);
  };
  const { language: shown, t } = loaded;
  return (
    <I18nContext value={{ language: shown, locale: localeOf(shown), t, choose }}>
      {children}
    </I18nContext>
  );
};

/** Shows texts in a fixed language, for markup that is rendered when the console is built. */
export const FixedLanguage = ({
  language,
  t,
  children,
}: Pick<I18n, 'language' | 't'> & { readonly children: ReactNode }) => (
  <I18nContext value={{ language, locale: language, t, choose: () => {} }}>{children}</I18nContext>
);

export const useI18n = (): I18n => use(I18nContext);

/** The dictionary of the selected language. */
export const useT = (): Dictionary => useI18n().t;
