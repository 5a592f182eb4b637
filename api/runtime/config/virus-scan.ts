import { type EnvironmentReader, text } from './environment-reader.ts';

/** Where a clamd listens that looks at customers' files. */
export type VirusScanSettings = Readonly<{ host: string; port: number }>;

/** Reads `CLAMD`, such as `clamd.internal:3310`; absent, files are not scanned. */
export function readVirusScanSettings(read: EnvironmentReader): VirusScanSettings | undefined {
  const address = read.optional(
    'CLAMD',
    text(/^[A-Za-z0-9.-]+:\d{1,5}$/, 'a host and a port such as clamd:3310'),
  );
  if (address === undefined) return undefined;
  const [host = '', port] = address.split(':');
  return { host, port: Number(port) };
}
