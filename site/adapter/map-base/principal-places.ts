import type { Region } from '#core/values/region.ts';

/** Names parted by commas; GeoNames' code of the state stands behind one that its country has twice. */
function listed(names: string): string[] {
  return names.split(',').map((name) => name.trim());
}

/** The places that a map of the whole country names. */
export const cities: Record<Region, readonly string[]> = {
  au: listed(`
    Sydney, Melbourne, Brisbane, Perth.08, Adelaide, Hobart, Darwin, Canberra`),
  nz: listed(`
    Auckland, Wellington, Christchurch, Dunedin, Hamilton, Queenstown`),
};

/** The places that people of the country find their way by, after its cities. */
export const centres: Record<Region, readonly string[]> = {
  au: listed(`
    Newcastle.02, Wollongong, Gold Coast, Geelong, Townsville, Cairns, Toowoomba, Ballarat, Bendigo,
    Launceston, Mackay, Rockhampton, Bundaberg, Coffs Harbour, Wagga Wagga, Albury, Mildura, Port Macquarie,
    Tamworth, Orange, Dubbo, Geraldton, Bunbury, Albany, Kalgoorlie, Alice Springs, Mount Isa, Broken Hill,
    Port Hedland, Broome, Karratha, Katherine, Whyalla, Mount Gambier, Port Lincoln, Devonport, Burnie,
    Warrnambool, Shepparton, Traralgon, Maroochydore, Gladstone.04, Emerald.04, Bathurst.02, Armidale,
    Lismore, Nowra, Esperance, Port Augusta`),
  nz: listed(`
    Tauranga, Napier, Palmerston North, Nelson, Rotorua, New Plymouth, Whangarei, Invercargill, Whanganui,
    Gisborne, Timaru, Blenheim, Taupo, Masterton, Greymouth, Hastings, Ashburton, Oamaru, Wanaka, Picton,
    Westport, Kaitaia, Levin, Tokoroa, Whakatane, Te Anau`),
};
