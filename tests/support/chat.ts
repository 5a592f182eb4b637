import type { Piece } from '#api/providers/assistant/assistant.ts';
import type { SignedIn, TestApp } from './api.ts';
import type { Answer } from './api-client.ts';

export type ChatAnswer = Readonly<{
  pieces: readonly Piece[];
  /** All sentences of the answer, with spaces between. */
  said: string;
  titles: readonly string[];
  /** The answer as it went over the wire. */
  text: string;
}>;

/** A token of the assistant, for whoever is signed in. */
export async function chatToken(owner: SignedIn): Promise<string> {
  return (await owner.get('/api/authenticate/chatbot')).body.token;
}

/** Asks the assistant as a tradie; the answer is read to its end. */
export async function askKel(app: TestApp, owner: SignedIn, message: string): Promise<ChatAnswer> {
  const kel = app.as({ authorization: `Bearer ${await chatToken(owner)}` });
  return chatAnswer(await kel.post('/api/chatbot/messages', { message }));
}

/** The pieces of a streamed answer. Throws unless it came to its end. */
export function chatAnswer({ status, text }: Answer): ChatAnswer {
  const events = text.split('\n\n').filter(Boolean);
  if (status !== 200 || events.at(-1) !== 'event: done\ndata: {}')
    throw new Error(`not a whole answer: ${status} ${text}`);
  const pieces: Piece[] = events.slice(0, -1).map((event) => JSON.parse(event.replace(/^.*\ndata: /, '')));
  const said = pieces.flatMap((piece) => (piece.kind === 'text' ? piece.text : [])).join(' ');
  const titles = pieces.flatMap((piece) =>
    piece.kind === 'jobs' ? piece.jobs.map(({ title }) => title) : [],
  );
  return { pieces, said, titles, text };
}
