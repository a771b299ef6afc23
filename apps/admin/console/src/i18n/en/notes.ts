/**
 * A pattern of notes that the API or the worker writes, and a function that makes the text in this
 * language from the pattern's groups.
 */
type NoteText = readonly [pattern: RegExp, text: (...groups: string[]) => string];

/** Empty, because the API and the worker write their notes in English. */
export const notes: readonly NoteText[] = [];
