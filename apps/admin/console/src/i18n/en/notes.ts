/** A pattern of a service's note, and its text in this language, made of the pattern's groups. */
type NoteText = readonly [pattern: RegExp, text: (...groups: string[]) => string];

/** The services write notes in English, so that no text is needed here. */
export const notes: readonly NoteText[] = [];
