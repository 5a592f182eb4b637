import { ensurePackages } from './build.ts';

// A process of its own: one that began without packages would go on finding none, or find them in Bun's cache.
try {
  await ensurePackages();
} catch (error) {
  console.error(`Ute was not installed: ${(error as Error).message}`);
  process.exit(1);
}
