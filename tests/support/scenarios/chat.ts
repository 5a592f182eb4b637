import type { Earlier, Piece } from '#api/assistant/assistant.ts';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';

export type ChatAnswer = Readonly<{
  pieces: readonly Piece[];
  /** All sentences of the answer, with spaces between. */
  said: string;
  titles: readonly string[];
  /** The answer as it went over the wire. */
  text: string;
}>;

/** A token of the assistant, for the signed-in account. */
export async function chatToken(owner: SignedIn): Promise<string> {
  return (await owner.get('/api/authenticate/chatbot')).body.token;
}

/** Asks the assistant as a tradie, after what went before; the answer is read to its end. */
export async function askKel(
  app: TestApp,
  owner: SignedIn,
  message: string,
  earlier?: readonly Earlier[],
): Promise<ChatAnswer> {
  return chatAnswer(await postToKel(app, owner, { message, ...(earlier ? { earlier } : {}) }));
}

/** The same with the answer as it is, whole or broken off. */
export async function postToKel(app: TestApp, owner: SignedIn, body: object): Promise<Answer> {
  const kel = app.as({ authorization: `Bearer ${await chatToken(owner)}` });
  return kel.post('/api/chatbot/messages', body);
}

/** What a page tells of an exchange with the next message. */
export function exchange(question: string, { said, pieces }: ChatAnswer): Earlier {
  const jobs = pieces.flatMap((piece) => {
    if (piece.kind === 'jobs') return piece.jobs.map(({ id }) => id);
    return piece.kind === 'proposal' ? [piece.proposal.jobId] : [];
  });
  return { question, answer: said, jobs: [...new Set(jobs)] };
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
