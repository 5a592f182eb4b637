import { setTimeout as pause } from 'node:timers/promises';

const SENDERS = 80;
const BODY = 26 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'a');
/** Between two pieces, in milliseconds: two megabytes a second of each sender. */
const PACE = 31;
/** Before a sender that was cut off begins again, in milliseconds. */
const REST = 1_000;

/**
 * Senders of a file that is larger than any may be, each time from another client, for as long as this runs. Arguments: the
 * address of a server and the path of a form. Writes a line once all are connected.
 */
const [server = '', path = ''] = process.argv.slice(2);
const { hostname, port, host } = new URL(server);

let requests = process.pid * 1_000;

/** An address that no run before had: what has sent too much is refused before anything of it is read. */
function newAddress(): string {
  requests += 1;
  return `10.${(requests >> 16) % 256}.${(requests >> 8) % 256}.${requests % 256}`;
}

const head = () =>
  [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    `content-length: ${BODY}`,
    'content-type: multipart/form-data; boundary=x',
    'sec-fetch-site: same-origin',
    `x-forwarded-for: ${newAddress()}`,
    '\r\n--x\r\ncontent-disposition: form-data; name="files"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n',
  ].join('\r\n');

let connected = 0;

async function send(): Promise<void> {
  let isOpen = true;
  const ended = () => {
    isOpen = false;
  };
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: ended, close: ended, error: ended, drain() {} },
  });
  connected += 1;
  if (connected === SENDERS) console.log('all connected');
  socket.write(head());
  for (let sent = 0; isOpen && sent < BODY; sent += PIECE.length) {
    socket.write(PIECE);
    await pause(PACE);
  }
  socket.end();
}

for (let sender = 0; sender < SENDERS; sender += 1) {
  void (async () => {
    for (;;) {
      await send().catch(() => {});
      await pause(REST);
    }
  })();
}
