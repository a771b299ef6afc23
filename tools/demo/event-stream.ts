/** An event as the api's event stream sends it. */
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
 * Reads a stream of server-sent events until `signal` is aborted; the abort causes no error. Throws
 * when the stream cannot be opened.
 */
export const followEvents = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  onEntry: (entry: Entry) => void,
  signal: AbortSignal,
): Promise<void> => {
  const answer = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' }, signal });
  if (!answer.ok || answer.body === null)
    throw new Error(`the event stream responded with status ${answer.status}`);
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
