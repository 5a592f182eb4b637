import type { Region } from '#core/values/region.ts';
import { defaultLocation } from '#core/values/registration-steps.ts';

/** The area that a business covers: degrees, metres, and the map's zoom. */
export type Coverage = Readonly<{ lat: number; lng: number; radius: number; zoom: number }>;

/** What the map shows: degrees and a zoom. */
export type View = Readonly<{ lat: number; lng: number; zoom: number }>;

/** Whether the tradie, or the business's postcode, has set where the area is. */
export function isChosen({ lat, lng }: Coverage): boolean {
  return lat !== defaultLocation.lat || lng !== defaultLocation.lng;
}

/** The whole country: what the map shows until an area is known. */
export const wholeCountry: Record<Region, View> = {
  au: { lat: defaultLocation.lat, lng: defaultLocation.lng, zoom: 3 },
  nz: { lat: -41, lng: 173, zoom: 4 },
};

/** South-west and north-east of what the map can be moved to. Longitudes go on beyond 180, to the Chathams. */
export const countryEdges: Record<Region, [[lat: number, lng: number], [lat: number, lng: number]]> = {
  au: [
    [-50, 90],
    [-5, 175],
  ],
  nz: [
    [-55, 155],
    [-25, 195],
  ],
};

/** A longitude as the map of the country has it: never at its other end. */
export function onMap(lng: number): number {
  return lng < 0 ? lng + 360 : lng;
}

/** A longitude as everybody else has it, from -180 to 180, with the decimals that a place needs. */
export function offMap(lng: number): number {
  return roundedDegrees(lng > 180 ? lng - 360 : lng);
}

/** Five decimals: about a metre. */
export function roundedDegrees(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000;
}
