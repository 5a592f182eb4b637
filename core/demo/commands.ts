import type { Command } from '#core/kernel/command.ts';
import type { DemoRequested } from './events.ts';

/** As `normaliseDemoRequest` writes it. */
export type RequestDemo = Command<'RequestDemo', Omit<DemoRequested['data'], 'requestedAt'>>;

export type DemoCommand = RequestDemo;
