import { writeSync } from 'node:fs';
import { startStandIn } from './stand-in.ts';

// A stand-in in a process of its own, for measurements. Says its port and serves until it is ended.
const { port } = await startStandIn();
writeSync(1, `${port}\n`);
