import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { type Dictionary, en } from './en';

/** The languages of the console; what a language says is checked against the English one. */
export const LANGUAGES = { en: 'English', fr: 'Français' } as const;

export type Language = keyof typeof LANGUAGES;

const KEPT = 'console-language';

const isLanguage = (text: string | undefined | null): text is Language =>
  text !== undefined && text !== null && text in LANGUAGES;

/** The kept choice, else the first of the browser's languages that is ours. */
const firstLanguage = (): Language => {
  const kept = localStorage.getItem(KEPT);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
};

interface I18n {
  readonly language: Language;
  /** How numbers and dates are written: as in the viewer's country, where the language is its. */
  readonly locale: string;
  readonly t: Dictionary;
  readonly choose: (language: Language) => void;
}

const I18nContext = createContext<I18n>({ language: 'en', locale: 'en', t: en, choose: () => {} });

const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.startsWith(language)) ?? language;

const load = async (language: Language): Promise<Dictionary> =>
  language === 'fr' ? (await import('./fr')).fr : en;

/** Nothing is shown before the words are there: no text changes its language before one's eyes. */
export const I18nProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, setLanguage] = useState(firstLanguage);
  const [loaded, setLoaded] = useState<{ language: Language; t: Dictionary } | null>(null);
  useEffect(() => {
    let isWanted = true;
    void load(language).then((t) => {
      if (isWanted) setLoaded({ language, t });
    });
    document.documentElement.lang = language;
    return () => {
      isWanted = false;
    };
  }, [language]);
  if (loaded === null) return null;
  const choose = (next: Language): void => {
    localStorage.setItem(KEPT, next);
    setLanguage(next);
  };
  const { language: shown, t } = loaded;
  return (
    <I18nContext value={{ language: shown, locale: localeOf(shown), t, choose }}>
      {children}
    </I18nContext>
  );
};

export const useI18n = (): I18n => use(I18nContext);

/** The words of the chosen language. */
export const useT = (): Dictionary => useI18n().t;
