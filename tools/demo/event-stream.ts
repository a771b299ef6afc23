/** An entry of a timeline, as the stream sends it. */
export interface Entry {
  readonly type: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly at: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const entryOf = (frame: string): Entry | null => {
  const data = frame.split('\n').filter((line) => line.startsWith('data: '));
  if (data.length === 0) return null;
  return JSON.parse(data.map((line) => line.slice('data: '.length)).join('\n')) as Entry;
};

/**
 * Follows a stream of server-sent events until it is aborted. Throws when the stream cannot be
 * opened; an abort ends it without an error.
 */
export const followEvents = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  onEntry: (entry: Entry) => void,
  signal: AbortSignal,
): Promise<void> => {
  const answer = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' }, signal });
  if (!answer.ok || answer.body === null) throw new Error(`the stream answered ${answer.status}`);
  let text = '';
  try {
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const entry of frames.map(entryOf)) if (entry !== null) onEntry(entry);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
