/** One event of a text/event-stream. `data` is the text of its data lines. */
export type ServerEvent = Readonly<{ event: string; data: string; id: string }>;

/**
 * Reads a text/event-stream piece by piece. `onBytes` runs for everything that arrives, comments included: the sign
 * that the connection is alive.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => undefined,
): AsyncGenerator<ServerEvent> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of chunks(body)) {
    onBytes();
    const blocks = (rest + decoder.decode(bytes, { stream: true })).replace(/\r\n?/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

/** Safari reads a stream only through its reader. */
async function* chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(block: string): ServerEvent | null {
  const fields = { event: 'message', data: [] as string[], id: '' };
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'data') fields.data.push(value);
    else if (name === 'event') fields.event = value;
    else if (name === 'id') fields.id = value;
  }
  return fields.data.length > 0 ? { ...fields, data: fields.data.join('\n') } : null;
}
