const encoder = new TextEncoder();

/** Messages that may wait for a slow reader before its stream is ended. */
const BACKLOG = 200;

export type LiveStream = Readonly<{
  /** What the browser reads. */
  body: ReadableStream<Uint8Array>;
  /** Sends one message; ends the stream when its reader has fallen too far behind: it comes back and refetches. */
  send(message: string): void;
  end(): void;
}>;

/** A server-sent stream that calls `onEnd` once, whichever side ends it. */
export function createLiveStream(onEnd: () => void): LiveStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const finish = () => {
    if (!controller) return false;
    controller = undefined;
    onEnd();
    return true;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (opened) => {
        controller = opened;
      },
      cancel: () => {
        finish();
      },
    },
    { highWaterMark: BACKLOG },
  );
  const end = () => {
    const open = controller;
    if (finish()) open?.close();
  };
  return {
    body,
    send(message) {
      if (!controller) return;
      if ((controller.desiredSize ?? 0) <= 0) end();
      else controller.enqueue(encoder.encode(message));
    },
    end,
  };
}

/** One server-sent message: a comment keeps the line open, `event` and `data` say something. */
export function comment(text: string): string {
  return `: ${text}\n\n`;
}

/** Tells that changes may have been missed. */
export function resync(): string {
  return 'event: resync\ndata: {}\n\n';
}

export function message(event: string, id: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
