import type { Locale } from '../web/locale.js';
import { english, type PageTexts } from './texts/english.js';
import { french } from './texts/french.js';

export type { PageTexts } from './texts/english.js';

const TEXTS: Readonly<Record<Locale, PageTexts>> = { en: english, fr: french };

export const pageTexts = (locale: Locale): PageTexts => TEXTS[locale];
