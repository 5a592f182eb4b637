import type { Region } from '#core/values/region.ts';
import type { FoundBusiness } from './business-register.ts';

const ABN_WEIGHTS = [3, 5, 7, 9, 11, 13, 15, 17, 19];

/** The ABN that ends in these nine digits: two check digits stand before them. */
function abnOf(nineDigits: number): string {
  const tail = String(nineDigits).padStart(9, '0');
  const sum = ABN_WEIGHTS.reduce((total, weight, index) => total + weight * Number(tail[index]), 0);
  return `${10 + ((89 - (sum % 89)) % 89)}${tail}`;
}

/** The NZBN with these eight digits behind 9429 and its check digit at the end. */
function nzbnOf(eightDigits: number): string {
  const head = `9429${String(eightDigits).padStart(8, '0')}`;
  const sum = [...head].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${head}${(10 - (sum % 10)) % 10}`;
}

/**
 * Invented businesses, one a line: name, postcode, its only director or the sole trader, and what the register says of it
 * when that is not that it is registered. A line's place makes its number.
 */
const AU = `
Banksia Plumbing Pty Ltd | 3056 | Mia Delaney
Wattlebird Electrical Pty Ltd | 3182 | Oscar Brandt
OKAFOR, SAM | 3057 | Sam Okafor
Currawong Carpentry Pty Ltd | 3121 | Imogen Hale
Blue Gum Landscapes Pty Ltd | 3101 | Theo Marinos
Lyrebird Painting Pty Ltd | 3220 | Priya Raman
NGUYEN, LINH | 3175 | Linh Nguyen
Redgum Roofing Pty Ltd | 3350 | Callum Ferris
Magpie Cleaning Services Pty Ltd | 3000 | Dana Whitlock
Saltbush Concreting Pty Ltd | 3550 | Bruno Costa
Harbour Light Electrical Pty Ltd | 2000 | Grace Tanaka
Waratah Tiling Pty Ltd | 2042 | Marco Bellini
KOWALSKI, ANNA | 2170 | Anna Kowalski
Kookaburra Fencing Pty Ltd | 2750 | Jack Rowley
Illawarra Air and Heating Pty Ltd | 2500 | Ruth Ellery
Sandstone Masonry Pty Ltd | 2010 | Elias Haddad
Hunter Valley Drains Pty Ltd | 2300 | Noah Pike
Snowy River Solar Pty Ltd | 2627 | Freya Lund
Capital Locks Pty Ltd | 2600 | Owen Pryce
Brindabella Builders Pty Ltd | 2617 | Leila Azizi
Jacaranda Plumbing and Gas Pty Ltd | 4000 | Kirra Walsh
TUPOU, SIONE | 4114 | Sione Tupou
Moreton Pools Pty Ltd | 4178 | Hannah Voss
Sunburnt Sheds Pty Ltd | 4350 | Wade Mercer
Coral Coast Pest Control Pty Ltd | 4870 | Ines Duarte
Daintree Tree Services Pty Ltd | 4873 | Toby Marsh
Southern Cross Removals Pty Ltd | 4217 | Yusuf Demir
Torrens Handyman Pty Ltd | 5000 | Neil Abbott
Barossa Stone and Paving Pty Ltd | 5352 | Greta Schulz
PATEL, KIRAN | 5073 | Kiran Patel
Spencer Gulf Welding Pty Ltd | 5600 | Darcy Lang
Swan River Glazing Pty Ltd | 6000 | Zara Quinn
Fremantle Flooring Pty Ltd | 6160 | Luca Romano
Karri Kitchens Pty Ltd | 6230 | Maeve Doyle
Goldfields Excavation Pty Ltd | 6430 | Craig Dunn
Pilbara Refrigeration Pty Ltd | 6714 | Tess Hobart
Mount Wellington Plumbing Pty Ltd | 7000 | Ivy Sutherland
HUON, PETER | 7109 | Peter Huon
Tamar Gardens Pty Ltd | 7250 | Joan Farrar
Cradle Insulation Pty Ltd | 7310 | Reg Bloom
Top End Air Conditioning Pty Ltd | 0800 | Maya Brown
Red Centre Trades Pty Ltd | 0870 | Luke Ashby
Ironbark Demolition Pty Ltd | 2830 | Stan Kemp | Cancelled
Faded Awnings Pty Ltd | 4215 | Holly Reid | Cancelled
Nomad Carpet Care Pty Ltd | | Vera Lindqvist
Acme Rendering Pty Ltd | 3030 | Carmen Silva
`;

const NZ = `
Kōwhai Cleaning Limited | 8011 | Aroha Parata
Rimu Plumbing Limited | 8013 | Tama Ngata
Southern Alps Electrical Limited | 8042 | Fiona McRae
TĀWHIRI, AROHA | 8022 | Aroha Tāwhiri
Port Hills Painting Limited | 8024 | George Allum
Avon Gardens Limited | 8061 | Lucy Beecham
Lyttelton Decks Limited | 8082 | Rangi Cooper
Pōhutukawa Roofing Limited | 1010 | Hemi Walker
Waitematā Plumbing and Gas Limited | 1021 | Sina Leota
Tūī Electrical Limited | 1024 | Mark Vickers
SINGH, ARJUN | 2025 | Arjun Singh
Manukau Tiling Limited | 2104 | Losa Faleolo
North Shore Glazing Limited | 0622 | Petra Novak
Kauri Carpentry Limited | 0610 | Ben Hutton
Hibiscus Pools Limited | 0931 | Amy Rolleston
Bay of Islands Builders Limited | 0210 | Wiremu Haki
Whangārei Drains Limited | 0110 | Colin Tait
Waikato Concrete Limited | 3204 | Janine Bolt
Mount Fencing Limited | 3116 | Tai Edwards
Geyser Heating Limited | 3010 | Moana Hura
Taupō Lake Landscapes Limited | 3330 | Ross Keane
Hawke’s Bay Solar Limited | 4110 | Erin Fletcher
Sunrise Pest Control Limited | 4010 | Pita Waaka
Taranaki Air Limited | 4310 | Kate Sorrell
Manawatū Movers Limited | 4410 | Viliami Tonga
Capital Locksmiths Limited | 6011 | Nadia Rosen
WILLIAMS, HUIA | 6021 | Huia Williams
Hutt Valley Handyman Limited | 5010 | Gavin Stone
Kāpiti Kitchens Limited | 5032 | Marama Reid
Nelson Bays Flooring Limited | 7010 | Oliver Strand
Marlborough Stone Limited | 7201 | Sophie Hart
West Coast Welding Limited | 7805 | Dan Greaney
Ōtautahi Insulation Limited | 8053 | Tyler Brooks
Timaru Tree Care Limited | 7910 | Beth Nolan
Central Otago Excavation Limited | 9300 | Angus Muir
Larnach Masonry Limited | 9016 | Iona Kerr
Dunedin Damp Proofing Limited | 9012 | Hamish Ross
Southland Sheds Limited | 9810 | Merv Calder
Old Goldfield Gutters Limited | 9320 | Una Frame | Removed
Vanished Blinds Limited | 1060 | Cory Blake | Removed
Wandering Windows Limited | | Esme Fauld
`;

/** The business of the demonstration, under the number that it has there. */
const acme: FoundBusiness = {
  ...{ bn: '97004118273', name: 'Acme Plumbing Pty Ltd', tradingName: null, country: 'au' },
  ...{ registered: true, status: 'Active', postcode: '3056', firstName: 'Dave', lastName: 'Nguyen' },
};

/** Every business of the sandbox, by country. */
export const sandboxEntities: Readonly<Record<Region, readonly FoundBusiness[]>> = {
  au: [
    ...AU.trim()
      .split('\n')
      .map((line, index) => readLine(line, 'au', abnOf(999_000_100 + index * 37))),
    acme,
  ],
  nz: NZ.trim()
    .split('\n')
    .map((line, index) => readLine(line, 'nz', nzbnOf(99_990_100 + index * 37))),
};

function readLine(line: string, country: Region, bn: string): FoundBusiness {
  const [name = '', postcode = '', person = '', statusText] = line.split('|').map((part) => part.trim());
  const [firstName = '', lastName = ''] = person.split(' ');
  const status = statusText ?? (country === 'au' ? 'Active' : 'Registered');
  const found = {
    bn,
    name,
    status,
    country,
    registered: statusText === undefined,
    postcode: postcode || null,
  };
  return { ...found, tradingName: null, firstName, lastName };
}
