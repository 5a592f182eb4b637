import type { DeviceNotes } from './drafts.ts';

/**
 * What a browser says of itself in the headers of a new registration (spec.md §7). It decides nothing: it is kept as long
 * as the draft, for whoever looks into a flood of registrations. What makes no sense is left out.
 */
export function deviceNotes(headers: Headers): DeviceNotes {
  return {
    screenWidth: wholeNumber(headers.get('x-screen-width'), 1, 100_000),
    screenHeight: wholeNumber(headers.get('x-screen-height'), 1, 100_000),
    colourDepth: wholeNumber(headers.get('x-colour-depth'), 1, 64),
    language: languageTag(headers.get('x-language')),
    timezoneOffset: wholeNumber(headers.get('x-timezone-offset'), -1_000, 1_000),
  };
}

function wholeNumber(text: string | null, least: number, most: number): number | null {
  const value = text !== null && /^-?\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

function languageTag(text: string | null): string | null {
  return text !== null && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(text) ? text : null;
}
