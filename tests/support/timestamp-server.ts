export type TimestampServer = Readonly<{
  url: URL;
  /** The SHA-256 of what it stamped, in hex, in order. */
  stamped: readonly string[];
  /** The header of the last request by which a client signs in. */
  authorization(): string | null;
  fail(how: 'refuse' | 'reject' | 'stamp-another' | 'cut' | null): void;
  stop(): Promise<void>;
}>;

/** TimeStampReq of RFC 3161 as `openssl ts -query -sha256 -cert` writes it: version, SHA-256 with its hash, nonce, certReq. */
const REQUEST =
  /^30[0-9a-f]{2}0201013031300d060960864801650304020105000420([0-9a-f]{64})0208([0-7][0-9a-f]{15})0101ff$/;

/** An authority on this machine that speaks RFC 3161 as far as a client reads it: its token has no signature. */
export function timestampServer(): TimestampServer {
  const stamped: string[] = [];
  let authorization: string | null = null;
  let failing: Parameters<TimestampServer['fail']>[0] = null;
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      authorization = request.headers.get('authorization');
      if (failing === 'refuse') return new Response(null, { status: 500 });
      const body = Buffer.from(await request.arrayBuffer());
      const [, hash, nonce] = REQUEST.exec(body.toString('hex')) ?? [];
      const isQuery = request.headers.get('content-type') === 'application/timestamp-query';
      if (!isQuery || !hash || !nonce || body[1] !== body.length - 2)
        return new Response(null, { status: 400 });
      if (failing === 'reject') return reply(element(0x30, element(0x30, Buffer.from([2, 1, 2]))));
      const imprint = failing === 'stamp-another' ? 'ab'.repeat(32) : hash;
      stamped.push(imprint);
      const content = [
        element(4, Buffer.from(imprint, 'hex')),
        element(2, Buffer.from(nonce, 'hex')),
        Buffer.alloc(300),
      ];
      const token = element(0x30, Buffer.concat(content));
      const whole = element(0x30, Buffer.concat([element(0x30, Buffer.from([2, 1, 0])), token]));
      return reply(failing === 'cut' ? whole.subarray(0, -9) : whole);
    },
  });
  return {
    url: new URL(`http://127.0.0.1:${server.port}/tsr`),
    stamped,
    authorization: () => authorization,
    fail: (how) => {
      failing = how;
    },
    stop: () => server.stop(true),
  };
}

function reply(bytes: Buffer): Response {
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'application/timestamp-reply' } });
}

/** An element of DER. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
