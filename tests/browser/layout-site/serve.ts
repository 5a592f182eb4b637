import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readStaticFiles, sendFile } from '#api/pages/static-files.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { root, tool } from '#tests/support/run/stages.ts';

/** Builds the site of layouts into a temporary folder and serves it on a free port. */
export async function serveLayoutSite(): Promise<{ url: string; stop(): Promise<void> }> {
  // On the disk of the checkout: the build moves files into it.
  const folder = tempFolder('layouts', join(root, 'node_modules', '.cache'));
  const [command = '', ...args] = tool.astro;
  const build = spawn(command, [...args, 'build', '--root', join(import.meta.dirname)], {
    cwd: root,
    env: { ...process.env, LAYOUT_SITE_OUT: folder.path },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error('The site of layouts does not build');
  const files = await readStaticFiles(folder.path, () => ({}));
  const server = Bun.serve({
    port: 0,
    fetch(request) {
      const file = files.get(new URL(request.url).pathname);
      return file ? sendFile(file, request) : new Response('Not found', { status: 404 });
    },
  });
  return {
    url: server.url.origin,
    stop: async () => {
      await server.stop(true);
      folder.remove();
    },
  };
}
