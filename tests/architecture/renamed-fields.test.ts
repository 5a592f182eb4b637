import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '#tests/support/run/stages.ts';
import { typeErrors } from '#tests/types.ts';

/** A name that a route declares and uses, under another name: in all of `api`, so that nothing but the site can mind. */
type Rename = Readonly<{
  name: string;
  file: string;
  texts: Readonly<Record<string, string>>;
  breaks: string;
}>;

const renames: Readonly<Record<string, Rename>> = {
  "a body's field": {
    name: 'timeZone',
    file: 'api/businesses/work-routes.ts',
    texts: { "reject', timeZone: '1 <=": "reject', zone: '1 <=", 'body.timeZone': 'body.zone' },
    breaks: 'site/src/features/profile/TimeZonePart.tsx',
  },
  "a query's field": {
    name: 'q',
    file: 'api/businesses/branding-routes.ts',
    texts: { '  q: textParameter': '  wanted: textParameter', 'query.q': 'query.wanted' },
    breaks: 'site/src/lib/profile-settings.ts',
  },
  "an answer's field": {
    name: 'url',
    file: 'api/privacy/export/routes.ts',
    texts: { 'ok({ url:': 'ok({ link:' },
    breaks: 'site/src/features/profile/security/security-api.ts',
  },
  "a field of a page's data": {
    name: 'state',
    file: 'api/accounts/email-confirmation.ts',
    texts: { "Readonly<{ state: 'open'": "Readonly<{ stage: 'open'", '{ state: isEmail': '{ stage: isEmail' },
    breaks: 'site/src/pages/welcome/[token].astro',
  },
};

const sources = ['core', 'api', 'projections', 'migrations', 'site/src', 'package.json', 'tsconfig.json'];
const copy = mkdtempSync(join(tmpdir(), 'renamed-fields-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('the site does not compile once a field of a body, a query, an answer or a page is renamed', async () => {
  for (const path of sources) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, texts } of Object.values(renames)) {
    let source = readFileSync(join(copy, file), 'utf8');
    for (const [before, after] of Object.entries(texts)) {
      expect(source.split(before), `${before} in ${file}`).toHaveLength(2);
      source = source.replace(before, after);
    }
    writeFileSync(join(copy, file), source);
  }
  const broken = Object.values(renames).map(({ breaks }) => breaks);
  const isComponent = (file: string) => file.endsWith('.astro');
  const errors = await typeErrors({
    ...{ root: copy, folder: 'types', components: broken.filter(isComponent) },
    code: ['site/src/env.d.ts', ...broken.filter((file) => !isComponent(file))],
  });
  // Each name where it is used, and nothing else: the routes are as sound as they were.
  const named = errors.flatMap((line) =>
    Object.values(renames).filter(
      ({ name, breaks }) => line.startsWith(`${breaks}(`) && line.includes(`'${name}'`),
    ),
  );
  expect(named, errors.join('\n')).toHaveLength(errors.length);
  expect(new Set(named)).toEqual(new Set(Object.values(renames)));
}, 180_000);
