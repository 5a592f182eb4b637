import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { convertToTsx } from '@astrojs/astro2tsx';
import { root, tool } from '#tests/support/run/stages.ts';

/** All that is checked, without Astro's components. */
const code = [
  ...['core', 'api', 'projections', 'migrations', 'tests', '*.ts'],
  ...['src', 'adapter', 'astro.config.ts', '.astro/types.d.ts'].map((path) => `site/${path}`),
];

/** What is checked of the sources in `root`, with all that it imports; `folder` is where the compiler is set up. */
export type Checked = Readonly<{
  root: string;
  folder: string;
  code: readonly string[];
  /** Astro's; without them all. */
  components?: readonly string[];
}>;

const everything: Checked = { root, folder: join('node_modules', '.cache', 'types'), code };

/** One program: what Astro knows of a component stands as `<component>.astro.tsx` in a tree laid over the site's. */
function projectOf({ folder, code, components }: Checked) {
  const up = relative(folder, '.');
  return {
    extends: `${up}/tsconfig.json`,
    compilerOptions: {
      types: ['bun', 'astro/client'],
      ...(components ? {} : { incremental: true, tsBuildInfoFile: './build-info.json' }),
      moduleDetection: 'force',
      rootDirs: ['./site', `${up}/site`],
      paths: {
        '#site/*': ['./site/src/*', `${up}/site/src/*`],
        'react/jsx-runtime': [`${up}/site/src/ui/jsx-runtime.d.ts`],
      },
    },
    include: [
      ...(components?.map((file) => `./${file}.tsx`) ?? ['./site']),
      ...code.map((path) => `${up}/${path}`),
      ...['env.d.ts', 'astro-jsx.d.ts'].map((path) => `${up}/node_modules/astro/${path}`),
    ],
    exclude: [],
  };
}

type Component = Readonly<{
  source: string;
  code: string;
  mappings: ReturnType<typeof convertToTsx>['mappings'];
}>;

/** What is wrong with the types of all code, Astro's components and their scripts included, with its place in the sources. */
export async function typeErrors(checked = everything): Promise<string[]> {
  const { root, folder } = checked;
  const { components, problems } = writeComponents(checked);
  writeFileSync(join(root, folder, 'tsconfig.json'), JSON.stringify(projectOf(checked)));
  const child = Bun.spawn(
    [...tool.tsc, '-p', folder, '--pretty', 'false', ...(checked.components ? ['--singleThreaded'] : [])],
    {
      cwd: root,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  // A name that the conversion adds for itself.
  const found = output.split('\n').filter((line) => line && !line.includes('ASTRO__MergeUnion'));
  // With what it found it ends with 1 or 2; so does a compiler that is not there, without a word on this stream.
  const ended = code !== 0 && !output.includes('error TS') ? [`the compiler ended with ${code}`] : [];
  return [...problems, ...ended, ...found.map((line) => inSource(line, folder, components))];
}

function writeComponents({ root, folder }: Checked) {
  const components = new Map<string, Component>();
  const problems: string[] = [];
  rmSync(join(root, folder, 'site'), { recursive: true, force: true });
  for (const file of new Bun.Glob('site/src/**/*.astro').scanSync(root)) {
    const source = readFileSync(join(root, file), 'utf8');
    const { code, mappings, scripts, diagnostics } = convertToTsx(source, { filename: file });
    for (const { message, position } of diagnostics)
      problems.push(`${file}${placeOf(source, position.start)}: ${message}`);
    const path = join(folder, file);
    components.set(`${path}.tsx`, { source, code, mappings });
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, `${path}.tsx`), code);
    for (const [index, { content, type }] of scripts.entries()) {
      if (type === 'processed-module') writeFileSync(join(root, `${path}.script-${index}.ts`), content);
    }
  }
  return { components, problems };
}

/** `folder/site/x.astro.tsx(7,3): …` by the place in `site/x.astro`; a line about other files as it is. */
function inSource(line: string, folder: string, components: ReadonlyMap<string, Component>): string {
  const [, path = '', at, column, rest] = /^(.+?)\((\d+),(\d+)\)(.*)$/.exec(line) ?? [];
  const component = components.get(path);
  if (!component) return line.replace(`${folder}/`, '');
  const { source, code, mappings } = component;
  const before = code
    .split('\n')
    .slice(0, Number(at) - 1)
    .join('\n');
  const offset = before.length + (Number(at) > 1 ? 1 : 0) + Number(column) - 1;
  const span = mappings.find(([start, length]) => start <= offset && offset <= start + length);
  const place = span ? placeOf(source, span[2] + Math.min(offset - span[0], span[3])) : '';
  return `${path.slice(folder.length + 1, -'.tsx'.length)}${place}${rest}`;
}

function placeOf(source: string, offset: number): string {
  const lines = source.slice(0, offset).split('\n');
  return `(${lines.length},${(lines.at(-1)?.length ?? 0) + 1})`;
}

if (import.meta.main) {
  const errors = await typeErrors();
  if (errors.length > 0) console.error(errors.join('\n'));
  process.exit(errors.length === 0 ? 0 : 1);
}
