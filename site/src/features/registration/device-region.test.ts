import { expect, test } from 'vitest';
import { regionOfZone } from './registration-store.ts';

test.each(['Pacific/Auckland', 'Pacific/Chatham', 'NZ', 'Antarctica/McMurdo'])(
  '%s is New Zealand',
  (zone) => {
    expect(regionOfZone(zone)).toBe('nz');
  },
);

test.each(['Australia/Hobart', 'Australia/Lord_Howe', 'Pacific/Fiji', 'Europe/London', 'UTC', ''])(
  '%j is Australia',
  (zone) => {
    expect(regionOfZone(zone)).toBe('au');
  },
);
