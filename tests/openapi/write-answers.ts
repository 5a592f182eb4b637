import { answerSchemas } from './answer-schemas.ts';

/** Writes what the handlers answer: `bun tests/openapi/write-answers.ts`, after an answer has another shape. */
const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');
const file = `${root}/api/http/openapi/answers.json`;
await Bun.write(file, JSON.stringify(answerSchemas(root), null, 2));
const biome = `${root}/node_modules/@biomejs/biome/bin/biome`;
const { exitCode } = Bun.spawnSync([process.execPath, '--bun', biome, 'format', '--write', file]);
if (exitCode !== 0) throw new Error('the file was not formatted');
