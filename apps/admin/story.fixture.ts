import { consoleModule } from './console-module.fixture.js';
import type { TimelineEntry } from './entities/timeline-entry.js';

export const LANGUAGES = ['en', 'fr'] as const;

export type Language = (typeof LANGUAGES)[number];

/** A timeline entry with the fields that the console's story reads. */
export type StoryEntry = Omit<TimelineEntry, 'traceId' | 'traceUrl'>;

interface Chapter {
  readonly entry: StoryEntry;
  readonly causes: readonly StoryEntry[];
  readonly earlier: readonly StoryEntry[];
}

interface StoryContext {
  readonly t: Dictionary;
  readonly locale: string;
  readonly currency: string;
  readonly entries: readonly StoryEntry[];
  readonly nameOf: (actor: string) => string;
}

interface Dictionary {
  readonly sentences: object;
}

interface Modules {
  readonly 'story/say': {
    readonly sentenceOf: (context: StoryContext, event: StoryEntry) => string;
  };
  readonly 'story/chapters': {
    readonly chaptersOf: (entries: readonly StoryEntry[]) => readonly Chapter[];
  };
  readonly 'story/causes-text': {
    readonly causesText: (t: Dictionary, causes: readonly StoryEntry[]) => string;
  };
  readonly 'i18n/en/index': { readonly en: Dictionary };
  readonly 'i18n/fr/index': { readonly fr: Dictionary };
}

const load = <Name extends keyof Modules>(name: Name): Promise<Modules[Name]> =>
  consoleModule<Modules[Name]>(name);

/** The console's functions that turn a timeline into a story, in one language and in euros. */
export const storyIn = async (language: Language) => {
  const t = language === 'en' ? (await load('i18n/en/index')).en : (await load('i18n/fr/index')).fr;
  const { sentenceOf } = await load('story/say');
  const { chaptersOf } = await load('story/chapters');
  const { causesText } = await load('story/causes-text');
  const nameOf = (actor: string): string => (actor === 'user:ann' ? 'Ann' : actor);
  return {
    /** The event types that have a sentence. */
    types: Object.keys(t.sentences),
    sentenceOf: (entries: readonly StoryEntry[], event: StoryEntry): string =>
      sentenceOf({ t, locale: language, currency: 'eur', entries, nameOf }, event),
    chaptersOf,
    causesText: (causes: readonly StoryEntry[]): string => causesText(t, causes),
  };
};
