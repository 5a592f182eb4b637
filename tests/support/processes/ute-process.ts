import { startUte } from '#api/main.ts';
import { stopOnSignal } from '#api/runtime/launch/signals.ts';

/** The product as a process of its own, without what installs and builds it. Prints one line once it listens. */
const starting = startUte(process.env);
stopOnSignal(async () => (await starting).stop());
try {
  const { stop: _, ...announced } = await starting;
  console.log(JSON.stringify(announced));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
