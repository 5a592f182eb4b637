import { createTransport } from 'nodemailer';
import { doctorHeader, doctorProof, hopsHeader, readHops } from '#api/http/health/doctor-proof.ts';
import { freeBytesOf, SPACE, storesHere } from '#api/http/health/free-space.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { isHere } from '#api/runtime/config/production.ts';
import { skewOf, skewOutcome } from './database-checks.ts';
import { type Check, type Outcome, reasonOf } from './finding.ts';

/** How long one server outside may take, in milliseconds: less than a check has. */
const TIMEOUT = 4_000;

/** What is around this process: providers, disk, proxies. Sends no message. */
export function outsideChecks(
  config: Config,
  freeBytes: (folder: string) => Promise<number> = freeBytesOf,
  now: () => Date = () => new Date(),
): Check[] {
  return [
    { name: 'mail', look: () => mail(config) },
    { name: 'SMS', look: () => sms(config) },
    { name: 'files', look: () => files(config) },
    { name: 'disk', look: () => disk(config, freeBytes) },
    { name: 'proxies', look: async () => proxies(config) },
    { name: 'public address', look: () => publicAddress(config, now) },
  ];
}

/** Greets the server, upgrades and signs in as for a mail, and leaves. */
async function mail({ mail }: Config): Promise<Outcome> {
  if (mail.provider === 'outbox') return embedded('mail', 'SMTP_URL');
  const { host, port, tls, user, password } = mail;
  const transport = createTransport({
    ...{ host, port, secure: tls === 'always', requireTLS: tls === 'upgrade', ignoreTLS: tls === 'off' },
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    ...{ connectionTimeout: TIMEOUT, greetingTimeout: TIMEOUT, socketTimeout: TIMEOUT, dnsTimeout: TIMEOUT },
  });
  try {
    await transport.verify();
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    const reason = [code ?? reasonOf(error), responseCode].filter((one) => one !== undefined).join(' ');
    const remedy =
      code === 'EAUTH' ? 'see user and password in SMTP_URL' : 'see host, port and certificate of SMTP_URL';
    return ['wrong', `the mail server does not take our mail (${reason}): ${remedy}`];
  } finally {
    transport.close();
  }
  if (tls === 'off' && !isHere(host))
    return ['warning', 'the mail server answers without encryption: take tls=off out of SMTP_URL'];
  return ['ok', 'the mail server answers and lets us in'];
}

/** Any answer over HTTP says that the provider is there; its clock is compared by the way. */
async function sms({ sms }: Config): Promise<readonly Outcome[]> {
  if (sms.provider === 'outbox') return [embedded('sms', 'SMS')];
  const asked = new Date();
  const answer = await fetch(sms.url, {
    ...{ method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) },
  }).catch((error: unknown) => reasonOf(error));
  if (typeof answer === 'string')
    return [['wrong', `${sms.provider} cannot be reached (${answer}): see SMS_URL, the network and its TLS`]];
  const reached: Outcome = ['ok', `${sms.provider} answers`];
  return [reached, ...clockOf(sms.provider, answer, asked, new Date())];
}

/** What a server's own date says against our clock, where they are apart. A date has whole seconds. */
function clockOf(whose: string, { headers }: Response, asked: Date, answered: Date): readonly Outcome[] {
  const date = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(date)) return [];
  const skew = skewOf([date, date + 999], [asked.getTime(), answered.getTime()]);
  const [state, line] = skewOutcome(whose, skew);
  return state === 'ok' ? [] : [[state, `our clock is ${line}`]];
}

function embedded(name: string, variable: string): Outcome {
  return ['ok', `${name} is stored and reaches no recipient: set ${variable} to send it`];
}

async function disk(config: Config, freeBytes: (folder: string) => Promise<number>) {
  if (!storesHere(config)) return ['ok', 'nothing of this process lies on its disk'] as const;
  const free = await freeBytes(config.dataDir);
  const room = `${(free / 1024 ** 3).toFixed(1)} GiB are free for DATA_DIR`;
  if (free > SPACE.warning) return ['ok', room] as const;
  return [free > SPACE.wrong ? 'warning' : 'wrong', `${room}: make room before the database stops`] as const;
}

/** Ute does not end TLS itself: where browsers use https, at least one proxy stands before it. */
function proxies({ publicOrigin, trustedProxies }: Config): Outcome {
  if (publicOrigin.startsWith('https:') && trustedProxies === 0)
    return [
      'wrong',
      'PUBLIC_ORIGIN is https, so a proxy stands before Ute, and TRUSTED_PROXIES is 0: all clients share the limits of one; count your proxies',
    ];
  return ['ok', `${trustedProxies} trusted`];
}

/** Asks through DNS and every proxy, as a customer's browser does. */
async function publicAddress(config: Config, now: () => Date): Promise<readonly Outcome[]> {
  const { publicOrigin, environment } = config;
  const asked = now();
  const answer = await fetch(`${publicOrigin}/api/health/live`, {
    ...{ redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) },
    headers: { [doctorHeader]: doctorProof(config, asked) },
  }).catch((error: unknown) => reasonOf(error).replace(/^TypeError (?=\w)/, ''));
  if (typeof answer !== 'string' && answer.ok)
    return [
      ['ok', 'PUBLIC_ORIGIN leads to Ute'],
      ...hopsOutcome(config, answer.headers.get(hopsHeader)),
      ...clockOf('PUBLIC_ORIGIN', answer, asked, now()),
    ];
  const reason = typeof answer === 'string' ? answer : `status ${answer.status}`;
  const found = `PUBLIC_ORIGIN does not lead to a running Ute (${publicOrigin}: ${reason})`;
  if (environment === 'production')
    return [['wrong', `${found}: see that Ute runs, and DNS, certificate and proxy of PUBLIC_ORIGIN`]];
  return [['warning', `${found}: see that Ute runs, with the PORT that this command has`]];
}

/** What TRUSTED_PROXIES says against the proxies that a request of ours came through. */
function hopsOutcome({ publicOrigin, trustedProxies }: Config, header: string | null): readonly Outcome[] {
  if (header === null)
    return [['warning', 'PUBLIC_ORIGIN leads to a Ute of another release or with another TOKEN_KEY']];
  const { count: hops, unreadable } = readHops(header);
  if (unreadable.includes(trustedProxies))
    return [
      [
        'wrong',
        'the entry of X-Forwarded-For that TRUSTED_PROXIES leads to is no address: all clients share the limits of a proxy; let the proxy write the address of its client there',
      ],
    ];
  if (hops === trustedProxies)
    return [['ok', `a request names ${hops} proxies in X-Forwarded-For, as many as trusted`]];
  if (hops > trustedProxies)
    return [
      [
        'wrong',
        `a request comes with ${hops} addresses in X-Forwarded-For and TRUSTED_PROXIES is ${trustedProxies}: all clients share the limits of a proxy; count your proxies`,
      ],
    ];
  const remedy =
    hops === 0
      ? 'X-Forwarded-For is missing: let the proxy set it'
      : 'a client may choose its address: count your proxies';
  const state = publicOrigin.startsWith('https:') ? 'wrong' : 'warning';
  return [
    [
      state,
      `a request from here comes with ${hops} addresses of ${trustedProxies} in X-Forwarded-For; ${remedy}`,
    ],
  ];
}

/** What a store answers that is there and knows the bucket and the key, and what to do about the rest. */
const remedies: Readonly<Record<string, string>> = {
  NoSuchBucket: 'see S3_BUCKET, S3_REGION and S3_ENDPOINT',
  InvalidAccessKeyId: 'see S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'see S3_SECRET_ACCESS_KEY and S3_REGION',
  AccessDenied: 'let the key read, write, delete and list the bucket',
  RequestTimeTooSkewed: 'set our clock by NTP',
};

/** Reads a file that is not there: only a store that knows bucket and key says that it is missing. Writes nothing. */
async function files({ files }: Config): Promise<Outcome> {
  if (files.provider === 'local') return ['ok', 'files lie on the disk of this machine'];
  const { provider: _, ...account } = files;
  const store = new Bun.S3Client({ ...account, retry: 0 });
  const found = await store
    .file(`media/doctor-${crypto.randomUUID()}`)
    .bytes()
    .catch((error: unknown) => reasonOf(error).replace(/^\S+ /, ''));
  if (found === 'NoSuchKey') return ['ok', 'the bucket answers to our key'];
  const reason = typeof found === 'string' ? found : 'it has a file that is not there';
  const remedy = remedies[reason] ?? 'see S3_ENDPOINT, S3_REGION, the network and its TLS';
  return ['wrong', `files cannot be stored (${reason}): ${remedy}`];
}
