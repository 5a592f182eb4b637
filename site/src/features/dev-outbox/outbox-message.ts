type OutboxMessage = NonNullable<App.Locals['outboxMessage']>;

/** What a list shows of a message: its subject, of an SMS its beginning. */
export function titleOf({ subject, text }: OutboxMessage): string {
  return subject ?? text.split('\n', 1)[0] ?? '';
}

export type TextPart = Readonly<{ text: string; href?: string }>;

/** A text cut at its web addresses, so that those can be shown as links. A full stop behind one is not part of it. */
export function linkedText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: address, index } of text.matchAll(/https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]/g)) {
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: address, href: address });
    from = index + address.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
