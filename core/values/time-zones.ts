import type { Region } from './region.ts';

/** The zones that a business can choose, by their IANA names, and what people there call them. */
export const timeZonesOf: Readonly<Record<Region, Readonly<Record<string, string>>>> = {
  au: {
    'Australia/Sydney': 'Sydney, Canberra',
    'Australia/Melbourne': 'Melbourne',
    'Australia/Hobart': 'Hobart',
    'Australia/Brisbane': 'Brisbane, Queensland',
    'Australia/Adelaide': 'Adelaide, South Australia',
    'Australia/Broken_Hill': 'Broken Hill',
    'Australia/Darwin': 'Darwin, Northern Territory',
    'Australia/Perth': 'Perth, Western Australia',
    'Australia/Eucla': 'Eucla',
    'Australia/Lindeman': 'Whitsunday Islands',
    'Australia/Lord_Howe': 'Lord Howe Island',
  },
  nz: { 'Pacific/Auckland': 'New Zealand', 'Pacific/Chatham': 'Chatham Islands' },
};

/** Whether a business of this region can choose the zone. */
export function isZoneOf(region: Region, timeZone: string): boolean {
  return Object.hasOwn(timeZonesOf[region], timeZone);
}
