import type { Witness } from '#core/proof/attestation.ts';
import { toBase64 } from '#core/proof/base64.ts';
import type { NoteVerifier } from '#core/proof/note.ts';
import { exchange, ProviderError } from './http-client.ts';

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
