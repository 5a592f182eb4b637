import { createHash, createHmac } from 'node:crypto';
import { createServer, type Socket } from 'node:net';

/** How long a provider is waited for, in milliseconds: longer than a machine may stall. */
export const LONG_TIMEOUT = 30_000;
/** Long enough where no answer comes. */
export const SHORT_TIMEOUT = 2_000;

/** What a sending ended with; null where the provider has it. */
export const failureOf = (sending: Promise<void>): Promise<unknown> =>
  sending.then(
    () => null,
    (error: unknown) => error,
  );

/** What a provider was asked, and a way to say what it answers next. */
export type ProviderServer = Readonly<{
  url: string;
  requests: readonly Readonly<{
    method: string;
    path: string;
    query: Record<string, string>;
    headers: Headers;
    body: any;
  }>[];
  stop(): Promise<void>;
}>;

type ProviderAnswer = (request: Request, url: URL) => Response | Promise<Response>;

/** A real server on this machine that speaks a provider's protocol through `answer`. */
export function providerServer(answer: ProviderAnswer): ProviderServer {
  const requests: ProviderServer['requests'][number][] = [];
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const url = new URL(request.url);
      const body = request.method === 'POST' ? await bodyOf(request.clone()) : null;
      const { method, headers } = request;
      requests.push({
        method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers,
        body,
      });
      return answer(request, url);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, requests, stop: () => server.stop(true) };
}

/** Servers for tests that each need their own: `serve` starts one, `stopServing` stops those that were started. */
export function providerServers() {
  const started: ProviderServer[] = [];
  return {
    serve(answer: ProviderAnswer): ProviderServer {
      const server = providerServer(answer);
      started.push(server);
      return server;
    },
    async stopServing(): Promise<void> {
      await Promise.all(started.splice(0).map((server) => server.stop()));
    },
  };
}

/** JSON as what it says, a form as its fields. */
async function bodyOf(request: Request): Promise<unknown> {
  const isForm = request.headers.get('content-type') === 'application/x-www-form-urlencoded';
  return isForm ? Object.fromEntries(new URLSearchParams(await request.text())) : request.json();
}

/** The text that every virus scanner takes for a virus, in two pieces so that none finds it here. */
export const eicar = `X5O!P%@AP[4\\PZX54(P^)7CC)7}$${'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'}`;

export type ClamdServer = Readonly<{
  port: number;
  /** Says what it does from now on; `scan`: its work. */
  become(how: 'scan' | 'hang' | 'overflow' | 'hang-up'): void;
  stop(): Promise<void>;
}>;

/** A scanner on this machine that speaks clamd's INSTREAM and knows one virus. */
export async function clamdServer(): Promise<ClamdServer> {
  let how: Parameters<ClamdServer['become']>[0] = 'scan';
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      if (how === 'hang') return;
      if (how === 'hang-up') return void socket.destroy();
      received = Buffer.concat([received, data]);
      const stream = streamOf(received);
      if (stream) answerScan(socket, stream, how);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    become: (next) => {
      how = next;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function answerScan(socket: Socket, stream: Buffer, how: string): void {
  if (how === 'overflow') socket.end('INSTREAM size limit exceeded. ERROR\0');
  else socket.end(stream.includes(eicar) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0');
}

/** What was streamed, once all of it has arrived. */
function streamOf(received: Buffer): Buffer | null {
  const command = 'zINSTREAM\0';
  if (received.subarray(0, command.length).toString('latin1') !== command) return null;
  const pieces: Buffer[] = [];
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

/** An object of the bucket. */
export type S3Object = Readonly<{ bytes: Uint8Array; type: string }>;

/** `refuse` asks to come later (503), `break` answers 500, `hang` nothing at all. */
type Failing = 'refuse' | 'break' | 'hang' | null;

export type S3Server = Readonly<{
  /** Origin of the store. */
  url: string;
  /** By key, without the bucket. */
  objects: Map<string, S3Object>;
  /** Says what it answers from now on instead of doing its work; null: it works. */
  fail(how: Failing): void;
  stop(): Promise<void>;
}>;

type Account = Readonly<{ bucket: string; region: string; accessKeyId: string; secretAccessKey: string }>;

/**
 * A store on this machine that speaks S3's protocol: PUT, GET and DELETE of objects in one bucket by path, and its list, each with a
 * signature of version 4 that it computes for itself, errors in XML.
 */
export function s3Server(account: Account): S3Server {
  const objects = new Map<string, S3Object>();
  let failing: Failing = null;
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      if (failing === 'hang') return new Promise<Response>(() => {});
      if (failing === 'refuse') return xml(503, 'SlowDown');
      if (failing === 'break') return xml(500, 'InternalError');
      const body = new Uint8Array(await request.arrayBuffer());
      if (!isSigned(request, body, account)) return xml(403, 'SignatureDoesNotMatch');
      const [, bucket, ...rest] = new URL(request.url).pathname.split('/');
      if (bucket !== account.bucket) return xml(404, 'NoSuchBucket');
      return answerObject(objects, request, decodeURIComponent(rest.join('/')), body);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    objects,
    fail: (how) => {
      failing = how;
    },
    stop: () => server.stop(true),
  };
}

function answerObject(
  objects: Map<string, S3Object>,
  request: Request,
  key: string,
  bytes: Uint8Array,
): Response {
  if (request.method === 'PUT') {
    objects.set(key, { bytes, type: request.headers.get('content-type') ?? '' });
    return new Response(null, { headers: { etag: `"${createHash('md5').update(bytes).digest('hex')}"` } });
  }
  if (request.method === 'DELETE') {
    objects.delete(key);
    return new Response(null, { status: 204 });
  }
  if (key === '') return listed([...objects], new URL(request.url).searchParams);
  const found = objects.get(key);
  if (!found) return xml(404, 'NoSuchKey');
  return new Response(found.bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': found.type } });
}

/** ListObjectsV2: the names that begin with `prefix` and follow `start-after`, `max-keys` of them at most. */
function listed(objects: readonly (readonly [string, S3Object])[], wanted: URLSearchParams): Response {
  const [prefix, after] = [wanted.get('prefix') ?? '', wanted.get('start-after') ?? ''];
  const most = Math.min(Number(wanted.get('max-keys') ?? 1_000), 1_000);
  const found = objects
    .filter(([key]) => key.startsWith(prefix) && key > after)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const contents = found
    .slice(0, most)
    .map(([key, { bytes }]) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`);
  return new Response(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${found.length > most}</IsTruncated>${contents.join('')}</ListBucketResult>`,
    { headers: { 'content-type': 'application/xml' } },
  );
}

function xml(status: number, code: string): Response {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return new Response(text, { status, headers: { 'content-type': 'application/xml' } });
}

/** AWS Signature Version 4 over the request as it arrived. */
function isSigned(request: Request, body: Uint8Array, account: Account): boolean {
  const authorization = request.headers.get('authorization') ?? '';
  const [, credential = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
      authorization,
    ) ?? [];
  const [accessKeyId, date = '', region, service, end] = credential.split('/');
  if (accessKeyId !== account.accessKeyId || region !== account.region) return false;
  if (service !== 's3' || end !== 'aws4_request') return false;
  const payload = request.headers.get('x-amz-content-sha256') ?? '';
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false;
  const url = new URL(request.url);
  const names = signed.split(';');
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${(request.headers.get(name) ?? '').trim()}`),
    '',
    signed,
    payload,
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', request.headers.get('x-amz-date'), scope, sha256(canonical)].join('\n');
  const key = [date, account.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${account.secretAccessKey}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature;
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
