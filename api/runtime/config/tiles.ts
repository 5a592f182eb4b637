import type { EnvironmentReader } from './environment-reader.ts';

/** Map tiles of a provider. `url` has {z}, {x} and {y}; `attribution` is what its terms want to be read on the map. */
export type TileSettings = Readonly<{ url: string; attribution: string }>;

/** Reads `TILES_URL` and `TILES_ATTRIBUTION`, both or neither; null: the site draws its own map. */
export function readTileSettings(read: EnvironmentReader): TileSettings | null {
  const url = read.optional('TILES_URL', (raw) => {
    const isTemplate = ['{z}', '{x}', '{y}'].every((part) => raw.includes(part)) && !/[\s;,]/.test(raw);
    const filled = raw.replace(/\{[a-z]\}/g, '0');
    if (!isTemplate || !URL.canParse(filled) || !/^https?:$/.test(new URL(filled).protocol)) {
      throw new RangeError('an address such as https://tiles.example/{z}/{x}/{y}.png');
    }
    return raw;
  });
  const attribution = read.optional('TILES_ATTRIBUTION', (raw) => {
    if (raw.length > 200) throw new RangeError('at most 200 characters');
    return raw;
  });
  if ((read.raw('TILES_URL') === undefined) !== (read.raw('TILES_ATTRIBUTION') === undefined)) {
    read.problem('TILES_URL', 'and TILES_ATTRIBUTION go together');
  }
  return url !== undefined && attribution !== undefined ? { url, attribution } : null;
}

/** Where the tiles come from, as a content policy names it: any of the hosts that `{s}` stands for. */
export function tileOrigin({ url }: TileSettings): string {
  const { protocol, host } = new URL(url.replace(/\{s\}/g, 'anyhost').replace(/\{[a-z]\}/g, '0'));
  return `${protocol}//${host.replace('anyhost', '*')}`;
}
