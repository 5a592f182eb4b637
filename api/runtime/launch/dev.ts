import { watch } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.ts';
import { stopOnSignal } from './signals.ts';

const watched = ['api', 'core', 'migrations', 'projections', 'site'];
const untouched = /(^|\/)(node_modules|\.astro|\.vite)(\/|$)|\.test\.tsx?$/;
/** An editor that saves several files at once causes one restart, in milliseconds. */
const settle = 200;

let product = launch();
let restart: Timer | undefined;
/** Restarts follow one another: two products at once would meet on the port. */
let turn = Promise.resolve();

for (const room of watched) {
  watch(join(root, room), { recursive: true }, (_event, file) => {
    if (!file || untouched.test(file)) return;
    clearTimeout(restart);
    restart = setTimeout(() => {
      turn = turn.then(() => relaunch(join(room, file)));
    }, settle);
  });
}

stopOnSignal(async () => {
  clearTimeout(restart);
  await turn;
  await end();
});

/** The whole product: it builds the site anew when that is what changed, and keeps its data in `.data` between starts. */
function launch() {
  const command = [process.execPath, 'api/start.ts', ...process.argv.slice(2)];
  return Bun.spawn(command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

async function end(): Promise<void> {
  product.kill('SIGINT');
  await product.exited;
}

async function relaunch(changed: string): Promise<void> {
  console.error(`${changed} changed; starting again …`);
  await end();
  product = launch();
}
