/**
 * A pattern that a service's note matches, and a function that makes the text in this language from
 * the pattern's groups.
 */
type NoteText = readonly [pattern: RegExp, text: (...groups: string[]) => string];

/** The services write notes in English, so that no text is needed here. */
export const notes: readonly NoteText[] = [];
