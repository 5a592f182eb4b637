import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** How a mail server takes the next messages. Codes are its answers to that command. */
export type Manners = Readonly<
  | { how: 'takes' }
  | { how: 'refuses'; at: 'MAIL' | 'RCPT' | 'DATA'; code: number }
  /** Takes the message, and says nothing any more. */
  | { how: 'falls-silent' }
  /** Takes the message, and closes the connection instead of an answer. */
  | { how: 'hangs-up' }
>;

export type ReceivedMail = Readonly<{
  from: string;
  to: readonly string[];
  /** The message as it came, header lines and all. */
  raw: string;
  parsed: Email;
}>;

export type MailServer = Readonly<{
  /** `smtp://127.0.0.1:…` */
  url: string;
  /** What was taken, in order, whatever was answered then. */
  received: readonly ReceivedMail[];
  /** From now on. */
  behave(manners: Manners): void;
  /** Breaks every connection, as a restart does. */
  drop(): void;
  close(): Promise<void>;
}>;

type Options = Readonly<{
  /** Asks for this user and password. */
  login?: Readonly<{ user: string; password: string }>;
  /** Speaks TLS from the first byte, or offers it, with a certificate that no authority signed. */
  tls?: 'always' | 'upgrade';
}>;

/** A real mail server on this machine. */
export async function mailServer({ login, tls }: Options = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let manners: Manners = { how: 'takes' };
  const refusalAt = (at: 'MAIL' | 'RCPT' | 'DATA') =>
    manners.how === 'refuses' && manners.at === at
      ? Object.assign(new Error('Not here, dave@acme.example'), { responseCode: manners.code })
      : null;

  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    secure: tls === 'always',
    disabledCommands: [...(tls === 'upgrade' ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onMailFrom: (_address, _session, done) => done(refusalAt('MAIL')),
    onRcptTo: (_address, _session, done) => done(refusalAt('RCPT')),
    onData: (stream, session, done) => {
      collect(stream, session).then((mail) => {
        const refusal = refusalAt('DATA');
        if (refusal) return done(refusal);
        received.push(mail);
        if (manners.how === 'hangs-up') for (const socket of sockets) socket.end();
        else if (manners.how === 'takes') done(null, 'taken');
      }, done);
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const user = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : '';
  return {
    url: `${tls === 'always' ? 'smtps' : 'smtp'}://${user}127.0.0.1:${port}`,
    received,
    behave(next) {
      manners = next;
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function collect(
  stream: AsyncIterable<Buffer>,
  { envelope }: SMTPServerSession,
): Promise<ReceivedMail> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address),
    raw: raw.toString('utf8'),
    parsed: await PostalMime.parse(raw),
  };
}
