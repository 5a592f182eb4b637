import type { Region } from '#core/values/region.ts';

/** A suburb with some of its streets. `written` is what follows the street in an address; degrees are WGS 84. */
export type Place = Readonly<{
  suburb: string;
  written: string;
  timeZone: string;
  lat: number;
  lng: number;
  streets: readonly string[];
}>;

const stateZones: Record<string, string> = {
  ...{ VIC: 'Australia/Melbourne', NSW: 'Australia/Sydney', QLD: 'Australia/Brisbane' },
  ...{ WA: 'Australia/Perth', SA: 'Australia/Adelaide', TAS: 'Australia/Hobart' },
  ...{ ACT: 'Australia/Sydney', NT: 'Australia/Darwin' },
};

/** Suburb, state and postcode; latitude; longitude; streets. Streets, suburbs and postcodes belong together. */
const australian = `
Brunswick VIC 3056|-37.767|144.962|Lygon St,Sydney Rd,Barkly St,Blyth St,Albion St,Glenlyon Rd
Coburg VIC 3058|-37.744|144.964|Bell St,Rennie St,Munro St,Reynard St,Harding St
Northcote VIC 3070|-37.770|144.999|High St,Separation St,Westgarth St,Clarke St,Arthurton Rd
Preston VIC 3072|-37.742|145.001|Plenty Rd,Murray Rd,Mitchell St,Gilbert Rd,Raglan St
Footscray VIC 3011|-37.800|144.900|Hopkins St,Nicholson St,Buckley St,Droop St,Ballarat Rd
St Kilda VIC 3182|-37.864|144.982|Acland St,Grey St,Inkerman St,Chapel St,Fitzroy St
Geelong West VIC 3218|-38.140|144.349|Pakington St,Autumn St,Shannon Ave,Waratah St
Ballarat Central VIC 3350|-37.562|143.856|Sturt St,Mair St,Dana St,Lydiard St North
Bendigo VIC 3550|-36.757|144.279|View St,Barnard St,Mollison St,Hargreaves St
Newtown NSW 2042|-33.897|151.179|King St,Enmore Rd,Wilson St,Australia St,Station St
Marrickville NSW 2204|-33.911|151.155|Illawarra Rd,Marrickville Rd,Addison Rd,Livingstone Rd
Parramatta NSW 2150|-33.815|151.003|Church St,Macquarie St,George St,Marsden St
Penrith NSW 2750|-33.751|150.694|High St,Henry St,Station St,Derby St
Manly NSW 2095|-33.797|151.285|Pittwater Rd,Raglan St,Sydney Rd,Whistler St
Wollongong NSW 2500|-34.425|150.893|Crown St,Keira St,Kembla St,Corrimal St
Newcastle NSW 2300|-32.927|151.776|Hunter St,King St,Darby St,Scott St
Orange NSW 2800|-33.284|149.100|Summer St,Byng St,Anson St,Sale St
West End QLD 4101|-27.481|153.009|Boundary St,Vulture St,Hardgrave Rd,Montague Rd
Paddington QLD 4064|-27.460|153.003|Given Tce,Latrobe Tce,Caxton St,Fernberg Rd
Chermside QLD 4032|-27.386|153.032|Gympie Rd,Hamilton Rd,Playfield St
Southport QLD 4215|-27.967|153.400|Nerang St,Scarborough St,Ferry Rd,Queen St
Toowoomba City QLD 4350|-27.561|151.955|Ruthven St,Margaret St,Herries St,Hume St
Cairns City QLD 4870|-16.923|145.774|Sheridan St,Grafton St,Lake St,Abbott St
Fremantle WA 6160|-32.056|115.747|High St,South Tce,Market St,Hampton Rd
Subiaco WA 6008|-31.949|115.827|Rokeby Rd,Hay St,Hamersley Rd,Bagot Rd
Joondalup WA 6027|-31.745|115.768|Grand Bvd,Lakeside Dr,Boas Ave
Norwood SA 5067|-34.921|138.634|The Parade,William St,Osmond Tce,Sydenham Rd
Glenelg SA 5045|-34.980|138.515|Jetty Rd,Moseley St,Brighton Rd,Partridge St
Prospect SA 5082|-34.884|138.594|Prospect Rd,Churchill Rd,Regency Rd
Sandy Bay TAS 7005|-42.903|147.327|Sandy Bay Rd,King St,Regent St
North Hobart TAS 7000|-42.873|147.315|Elizabeth St,Argyle St,Letitia St
Launceston TAS 7250|-41.437|147.139|Charles St,George St,York St,Brisbane St
Braddon ACT 2612|-35.271|149.135|Lonsdale St,Mort St,Torrens St
Dickson ACT 2602|-35.250|149.139|Cowper St,Antill St,Badham St
Darwin City NT 0800|-12.463|130.841|Mitchell St,Cavenagh St,Smith St,Knuckey St`;

const newZealand = `
Ponsonby, Auckland 1011|-36.850|174.743|Ponsonby Rd,Jervois Rd,Richmond Rd,Vermont St
Mount Eden, Auckland 1024|-36.882|174.760|Mount Eden Rd,Dominion Rd,Valley Rd,View Rd
Takapuna, Auckland 0622|-36.788|174.773|Hurstmere Rd,Lake Rd,Anzac St
Henderson, Auckland 0612|-36.880|174.632|Great North Rd,Lincoln Rd,Edmonton Rd
Manurewa, Auckland 2102|-37.022|174.897|Great South Rd,Weymouth Rd,Hill Rd
Ōtāhuhu, Auckland 1062|-36.944|174.844|Great South Rd,Atkinson Ave,Princes St
Whangārei 0110|-35.725|174.323|Bank St,Cameron St,Kamo Rd
Hamilton East, Hamilton 3216|-37.794|175.297|Grey St,Clyde St,Peachgrove Rd,Wellington St
Tauranga South, Tauranga 3112|-37.701|176.160|Cameron Rd,Fraser St,Fifteenth Ave
Mount Maunganui 3116|-37.638|176.184|Maunganui Rd,Marine Pde,Pacific Ave
Rotorua 3010|-38.137|176.251|Fenton St,Amohau St,Tutanekai St
Gisborne 4010|-38.662|178.018|Gladstone Rd,Ormond Rd,Childers Rd
Ahuriri, Napier 4110|-39.483|176.897|Bridge St,Waghorne St,Battery Rd
Whanganui 4500|-39.931|175.051|Victoria Ave,Guyton St,Ingestre St
Palmerston North 4410|-40.356|175.611|Broadway Ave,Featherston St,College St
Petone, Lower Hutt 5012|-41.226|174.872|Jackson St,Britannia St,Cuba St
Paraparaumu 5032|-40.915|175.008|Kāpiti Rd,Rimu Rd,Amohia St
Newtown, Wellington 6021|-41.311|174.779|Riddiford St,Constable St,Rintoul St
Karori, Wellington 6012|-41.285|174.737|Karori Rd,Campbell St,Chaytor St
Nelson 7010|-41.271|173.284|Trafalgar St,Hardy St,Bridge St
Sydenham, Christchurch 8023|-43.548|172.637|Colombo St,Brougham St,Durham St South
St Albans, Christchurch 8014|-43.512|172.634|Papanui Rd,Edgeware Rd,Cranford St
North Dunedin, Dunedin 9016|-45.864|170.514|George St,Great King St,Castle St
Invercargill 9810|-46.413|168.347|Dee St,Tay St,Esk St`;

/** Where invented businesses and their customers are. */
export const places: Record<Region, readonly Place[]> = {
  au: read(australian, (written) => {
    const [, suburb = '', state = ''] = /^(.+) ([A-Z]+) \d{4}$/.exec(written) ?? [];
    return { suburb, timeZone: stateZones[state] ?? '' };
  }),
  nz: read(newZealand, (written) => {
    const [, suburb = ''] = /^([^,]+?)(?:,.*)? \d{4}$/.exec(written) ?? [];
    return { suburb, timeZone: 'Pacific/Auckland' };
  }),
};

function read(table: string, locate: (written: string) => Pick<Place, 'suburb' | 'timeZone'>): Place[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [written = '', lat, lng, streets = ''] = line.split('|');
      const place = { ...locate(written), written: `, ${written}`, lat: Number(lat), lng: Number(lng) };
      return { ...place, streets: streets.split(',') };
    });
}
