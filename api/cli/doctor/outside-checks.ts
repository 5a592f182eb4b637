import { statfs } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import type { Config } from '#api/runtime/config/config.ts';
import { isHere, skewOutcome } from './database-checks.ts';
import { type Check, type Outcome, reasonOf } from './finding.ts';

/** How long one server outside may take, in milliseconds: less than a check has. */
const TIMEOUT = 4_000;
/** Free space of a data folder, in bytes. */
const SPACE = { warning: 2 * 1024 ** 3, wrong: 256 * 1024 ** 2 };

/** What is around this process: providers, disk, proxies. Sends no message. */
export function outsideChecks(
  config: Config,
  freeBytes: (folder: string) => Promise<number> = freeOf,
): Check[] {
  return [
    { name: 'mail', look: () => mail(config) },
    { name: 'SMS', look: () => sms(config) },
    { name: 'disk', look: () => disk(config, freeBytes) },
    { name: 'proxies', look: async () => proxies(config) },
    { name: 'public address', look: () => publicAddress(config) },
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
  const answer = await fetch(sms.url, {
    ...{ method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) },
  }).catch((error: unknown) => reasonOf(error));
  if (typeof answer === 'string')
    return [['wrong', `${sms.provider} cannot be reached (${answer}): see SMS_URL, the network and its TLS`]];
  const date = Date.parse(answer.headers.get('date') ?? '');
  // A date has whole seconds.
  const skew = Number.isNaN(date) ? 0 : date + 500 - Date.now();
  const clock = skewOutcome(sms.provider, skew);
  const reached: Outcome = ['ok', `${sms.provider} answers`];
  return clock[0] === 'ok' ? [reached] : [reached, [clock[0], `our clock is ${clock[1]}`]];
}

function embedded(name: string, variable: string): Outcome {
  return ['ok', `${name} is stored and reaches no recipient: set ${variable} to send it`];
}

async function disk({ dataDir, databaseUrl, files }: Config, freeBytes: (folder: string) => Promise<number>) {
  const folders = new Set<string>();
  if (databaseUrl === undefined || files.provider === 'local') folders.add(dataDir);
  if (folders.size === 0) return ['ok', 'nothing of this process lies on its disk'] as const;
  const free = await freeBytes(dataDir);
  const room = `${(free / 1024 ** 3).toFixed(1)} GiB are free for DATA_DIR`;
  if (free > SPACE.warning) return ['ok', room] as const;
  return [free > SPACE.wrong ? 'warning' : 'wrong', `${room}: make room before the database stops`] as const;
}

async function freeOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
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

async function publicAddress({ publicOrigin, environment }: Config): Promise<Outcome> {
  const answer = await fetch(`${publicOrigin}/api/health/live`, {
    ...{ redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) },
  }).catch((error: unknown) => reasonOf(error));
  if (typeof answer !== 'string' && answer.ok) return ['ok', 'PUBLIC_ORIGIN leads to Ute'];
  const reason = typeof answer === 'string' ? answer : `status ${answer.status}`;
  const remedy = 'see that Ute runs, and DNS, certificate and proxy of PUBLIC_ORIGIN';
  return [
    environment === 'production' ? 'wrong' : 'warning',
    `PUBLIC_ORIGIN does not lead to a running Ute (${reason}): ${remedy}`,
  ];
}
