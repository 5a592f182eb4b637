import type { Command } from '#core/kernel/command.ts';
import type { DemoEvent } from './events.ts';

/** As `normaliseDemoRequest` writes it. */
export type RequestDemo = Command<'RequestDemo', Omit<DemoEvent['data'], 'requestedAt'>>;

export type DemoCommand = RequestDemo;
