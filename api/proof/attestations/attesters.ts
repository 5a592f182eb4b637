import { randomBytes } from 'node:crypto';
import { exchange, ProviderError } from '#api/providers/http-client.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { toBase64 } from '#core/crypto/base64.ts';
import type { NoteVerifier } from '#core/crypto/note.ts';
import type { TimestampAuthority, Witness } from '#core/proof/checkpoint.ts';

/** TimeStampReq of RFC 3161, section 2.4.1: version 1 and a MessageImprint of SHA-256, in DER up to the hash. */
const REQUEST_HEAD = Buffer.from('020101' + '3031' + '300d06096086480165030402010500' + '0420', 'hex');
/** `certReq`: the certificate comes in the answer, so that it can be checked once the authority is gone. */
const WITH_CERTIFICATE = Buffer.from('0101ff', 'hex');
const NAME = 'the time stamp authority';

/** Who is asked to attest to checkpoints, by what stands in `proof.attestations` as the source. */
export function attestersOf(proof: Config['proof']): Readonly<{ name: string; source: string }>[] {
  if (!proof) return [];
  const { witnesses, timestampUrl } = proof;
  return [
    ...witnesses.map(({ verifier }) => ({ name: 'witness', source: verifier.vkey })),
    ...(timestampUrl ? [{ name: 'time stamp', source: httpTimestampAuthority(timestampUrl).source }] : []),
  ];
}

/** An authority over HTTP (RFC 3161, section 3.4). A user and a password in `url` are sent as basic authentication. */
export function httpTimestampAuthority(url: URL): TimestampAuthority {
  const address = new URL(url);
  [address.username, address.password] = ['', ''];
  const authorization =
    url.username === ''
      ? {}
      : {
          authorization: `Basic ${btoa(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)}`,
        };
  const headers = { 'content-type': 'application/timestamp-query', ...authorization };
  return {
    source: address.href,
    async stamp(sha256) {
      const nonce = randomBytes(8);
      // Positive, and of eight bytes: DER has one spelling of a number.
      nonce[0] = ((nonce[0] as number) & 0x3f) | 0x40;
      const body = Buffer.concat([
        REQUEST_HEAD,
        sha256,
        Buffer.from([2, nonce.length]),
        nonce,
        WITH_CERTIFICATE,
      ]);
      const request = new Uint8Array([0x30, body.length, ...body]);
      const { bytes } = await exchange(NAME, address, { method: 'POST', headers, body: request });
      if (!isGranted(bytes)) throw new ProviderError(NAME, 'granted no time stamp');
      if (!bytes.includes(sha256) || !bytes.includes(nonce))
        throw new ProviderError(NAME, 'answered something else');
      return bytes;
    },
  };
}

/** Whether a TimeStampResp (RFC 3161, section 2.4.2) has the status `granted` or `grantedWithMods`, and a token after it. */
function isGranted(bytes: Buffer): boolean {
  const whole = readElement(bytes, 0);
  if (whole?.tag !== 0x30 || whole.end !== bytes.length) return false;
  const info = readElement(bytes, whole.start);
  const status = info?.tag === 0x30 ? readElement(bytes, info.start) : null;
  if (!info || status?.tag !== 2 || status.end !== status.start + 1) return false;
  const token = readElement(bytes, info.end);
  return (bytes[status.start] as number) <= 1 && token?.tag === 0x30 && token.end === whole.end;
}

type Element = Readonly<{ tag: number; start: number; end: number }>;

/** The element of DER at `at`: where its content starts and ends; null where bytes are missing. */
function readElement(bytes: Buffer, at: number): Element | null {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return null;
  const long = first < 0x80 ? 0 : first - 0x80;
  if (long > 4 || at + 2 + long > bytes.length) return null;
  const length = long === 0 ? (first === 0x80 ? Number.NaN : first) : bytes.readUIntBE(at + 2, long);
  const start = at + 2 + long;
  return start + length <= bytes.length ? { tag, start, end: start + length } : null;
}

/** A witness over HTTP, by C2SP `tlog-witness`. `url` is its submission prefix. */
export function httpWitness(url: URL, verifier: NoteVerifier): Witness {
  const name = `the witness ${verifier.name}`;
  const address = new URL(`${url.href.replace(/\/$/, '')}/add-checkpoint`);
  return {
    verifier,
    async sign({ old, proof, note }) {
      const body = [`old ${old}`, ...proof.map(toBase64), '', note].join('\n');
      const { status, bytes } = await exchange(name, address, { method: 'POST', body }, [200, 409]);
      const text = bytes.toString('utf8');
      if (status === 200) return { kind: 'signed', lines: text };
      if (!/^(0|[1-9]\d{0,14})\n$/.test(text))
        throw new ProviderError(name, 'has another size, and no number');
      return { kind: 'has', size: Number(text) };
    },
  };
}
