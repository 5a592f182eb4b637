import { filePostcodes } from './file.ts';
import type { Postcodes } from './postcodes.ts';
import { rangePostcodes } from './ranges.ts';

/** The postcodes of the file that the operator handed over, else of the embedded ranges. */
export function configuredPostcodes(file: string | undefined): Postcodes {
  return file === undefined ? rangePostcodes : filePostcodes(file);
}
