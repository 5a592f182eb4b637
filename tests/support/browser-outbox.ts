import { expect, type Page } from '@playwright/test';

type EmbeddedMessage = Readonly<{ id: string; to: string; subject?: string; text: string }>;

/** Waits for the newest message to an address or number that the embedded outbox took, whose text holds `words`. */
export async function messageTo(page: Page, to: string, words: string): Promise<EmbeddedMessage> {
  let found: EmbeddedMessage | undefined;
  await expect(async () => {
    const answer = await page.request.get(`/dev/outbox/messages.json?to=${encodeURIComponent(to)}`);
    const { messages } = (await answer.json()) as { messages: EmbeddedMessage[] };
    found = messages.find(({ subject = '', text }) => `${subject}\n${text}`.includes(words));
    expect(found, `a message to ${to} with "${words}"`).toBeDefined();
  }).toPass({ intervals: [50, 100, 200, 500], timeout: 20_000 });
  return found as EmbeddedMessage;
}

/** The first link of a message, as path and query of the product under test. */
export function linkOf({ text }: EmbeddedMessage): string {
  const url = URL.parse(/https?:\/\/\S+/.exec(text)?.[0] ?? '');
  if (!url) throw new Error('the message has no link');
  return url.pathname + url.search;
}
