import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';

/** What must not be found, by what it is: `{ 'the reset token': 'kQ…' }`. */
export type Markers = Readonly<Record<string, string>>;

/** Letters of a marker: a database of random ids, keys and ciphertext in base64 holds every shorter word some day. */
const SHORTEST = 8;

/** Everything that every table of a database holds, as `schema.table` and the text of its rows. */
export async function copyOut(db: Pool): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_catalog.pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const copied: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await db.query<{ text: string | null }>(
      `select string_agg(one::text, e'\\n') as text from ${name} as one`,
    );
    copied[name] = rows[0]?.text ?? '';
  }
  return copied;
}

/** The same, and as `pg_stats` what the planner sampled of it. */
export async function copyOutWithSamples(db: Pool): Promise<Record<string, string>> {
  await db.query('analyze');
  const { rows } = await db.query<{ text: string }>(
    `select schemaname || '.' || tablename || '.' || attname || ' ' || coalesce(most_common_vals::text, '')
       || coalesce(histogram_bounds::text, '') || coalesce(most_common_elems::text, '') as text from pg_stats
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  return { ...(await copyOut(db)), pg_stats: rows.map(({ text }) => text).join('\n') };
}

/** Every file below folders, by its path: the path and the bytes as they lie there. */
export async function copyFiles(...folders: string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of folders) {
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      found[file] = `${file}\n${(await readFile(file)).toString('latin1')}`;
    }
  }
  return found;
}

/** Where which markers stand: `read.accounts holds the reset token`. In any spelling: as it is, as hex, as base64. */
export function findMarkers(places: Readonly<Record<string, string>>, markers: Markers): string[] {
  const spelled = Object.entries(markers).map(([name, word]) => ({ name, patterns: patternsOf(word) }));
  return Object.entries(places).flatMap(([place, text]) => {
    // Six digits in a row may also be a fraction of a second.
    const searched = text.replace(/(:\d\d)\.\d+/g, '$1');
    return spelled
      .filter(({ patterns }) => patterns.some((pattern) => pattern.test(searched)))
      .map(({ name }) => `${place} holds ${name}`);
  });
}

function patternsOf(word: string): RegExp[] {
  // A code stands alone: within an id, a key or base64 its digits come about by chance.
  if (/^\d{6,}$/.test(word)) return [new RegExp(`(?<![0-9a-z.+_-])${word}(?![0-9a-z+_-])`, 'i')];
  if (word.length < SHORTEST)
    throw new RangeError(`chance makes a marker of ${word.length} letters: it needs ${SHORTEST}`);
  const bytes = Buffer.from(word, 'utf8');
  return [
    new RegExp(RegExp.escape(word), 'i'),
    new RegExp(RegExp.escape(encodeURIComponent(word)), 'i'),
    new RegExp(bytes.toString('hex'), 'i'),
    ...[0, 1, 2].map((shift) => base64Pattern(bytes, shift)),
  ];
}

/** What stays the same in base64 of any text that has the word at such a place; either alphabet. */
function base64Pattern(bytes: Buffer, shift: number): RegExp {
  const coded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const whole = coded.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
  const either = whole.replace(/[+/]/g, (letter) => (letter === '+' ? '[+-]' : '[/_]'));
  return new RegExp(either);
}

const run = 'window.__x=1';

/** Texts that become script wherever a developer forgets that they are text. Each sets `window.__x` if it runs. */
export const xssPayloads: readonly string[] = [
  `<script>${run}</script>`,
  `"><script>${run}</script>`,
  `'><script>${run}</script>`,
  `</title><script>${run}</script>`,
  `</textarea><script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<!--><script>${run}</script>-->`,
  `<ScRiPt>${run}</sCrIpT>`,
  `<script/x>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `"><img src=x onerror=${run}>`,
  `<img src="x" onerror="${run}"`,
  `<svg onload=${run}>`,
  `<svg/onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin=${run} attributeName=x>`,
  `<math><mtext><img src=x onerror=${run}></mtext></math>`,
  `<body onload=${run}>`,
  `<iframe srcdoc="<script>parent.${run}</script>">`,
  `<iframe src="javascript:parent.${run}">`,
  `<object data="javascript:${run}">`,
  `<embed src="javascript:${run}">`,
  `<a href="javascript:${run}">x</a>`,
  `javascript:${run}`,
  `java\tscript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `<input autofocus onfocus=${run}>`,
  `" autofocus onfocus=${run} x="`,
  `' autofocus onfocus=${run} x='`,
  `<details open ontoggle=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<form><button formaction="javascript:${run}">x</button></form>`,
  `<base href="//evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
  `<link rel=stylesheet href="data:text/css,*{x:expression(${run})}">`,
  `<style>@import "javascript:${run}";</style>`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>"></noscript>`,
];
