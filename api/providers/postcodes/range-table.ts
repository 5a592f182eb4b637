import type { Region } from '#core/values/region.ts';

/**
 * Where stretches of postcodes begin, and the place that stands for each: a stretch goes on to the next beginning. Written by
 * state or region, as the gazetteer abbreviates or names it, in the order of the numbers. `-` ends a stretch that has no residents.
 */
const AU = `
NT: 0800 Darwin, 0820 Darwin, 0828 Palmerston, 0850 Katherine, 0860 Tennant Creek, 0870 Alice Springs, 0880 Nhulunbuy, 0910 -
NSW: 2000 Sydney, 2015 Alexandria, 2020 Mascot, 2024 Bondi Junction, 2031 Randwick, 2037 Glebe, 2042 Newtown, 2044 Marrickville, 2060 North Sydney,
  2065 Crows Nest, 2067 Chatswood, 2073 Pymble, 2077 Hornsby, 2085 Belrose, 2088 Mosman, 2095 Manly, 2099 Dee Why, 2107 Newport, 2110 Hunters Hill,
  2112 Ryde, 2118 Carlingford, 2121 Epping, 2130 Ashfield, 2134 Burwood, 2140 Homebush, 2144 Auburn, 2150 Parramatta, 2153 Baulkham Hills, 2160 Merrylands,
  2164 Wetherill Park, 2170 Liverpool, 2190 Bankstown, 2204 Marrickville, 2208 Kingsgrove, 2217 Kogarah, 2220 Hurstville, 2227 Sutherland, 2230 Cronulla,
  2250 Gosford, 2259 Wyong, 2261 The Entrance, 2264 Morisset, 2280 Belmont, 2287 Wallsend, 2300 Newcastle, 2315 Nelson Bay, 2320 Maitland, 2325 Cessnock,
  2330 Singleton, 2333 Muswellbrook, 2340 Tamworth, 2350 Armidale, 2360 Inverell, 2380 Gunnedah, 2390 Narrabri, 2400 Moree, 2420 Dungog, 2428 Forster,
  2430 Taree, 2440 Kempsey, 2444 Port Macquarie, 2448 Nambucca Heads, 2450 Coffs Harbour, 2460 Grafton, 2470 Casino, 2478 Ballina, 2480 Lismore,
  2485 Tweed Heads, 2500 Wollongong, 2527 Albion Park, 2533 Kiama, 2540 Nowra, 2548 Merimbula, 2550 Bega, 2560 Campbelltown, 2570 Camden, 2575 Mittagong,
  2580 Goulburn, 2590 Cootamundra, 2594 Young, 2619 Queanbeyan, 2627 Jindabyne, 2630 Cooma, 2640 Albury, 2650 Wagga Wagga, 2680 Griffith, 2700 Narrandera,
  2710 Deniliquin, 2720 Tumut, 2745 Penrith, 2753 Richmond, 2756 Windsor, 2760 North St Marys, 2765 Riverstone, 2770 Mount Druitt, 2780 Katoomba, 2790 Lithgow,
  2795 Bathurst, 2800 Orange, 2820 Wellington, 2830 Dubbo, 2850 Mudgee, 2870 Parkes, 2871 Forbes, 2880 Broken Hill, 2891 -
ACT: 2600 Canberra, 2611 Canberra, 2619 -, 2900 Canberra, 2921 -
VIC: 3000 Melbourne, 3010 Carlton, 3011 Footscray, 3015 Newport, 3018 Altona, 3020 Sunshine, 3023 Caroline Springs, 3028 Altona Meadows, 3029 Hoppers Crossing,
  3030 Werribee, 3031 Kensington, 3037 Sydenham, 3040 Essendon, 3042 Airport West, 3046 Glenroy, 3050 Parkville, 3054 Carlton North, 3056 Brunswick,
  3058 Coburg, 3060 Fawkner, 3064 Craigieburn, 3065 Fitzroy, 3070 Northcote, 3072 Preston, 3074 Thomastown, 3076 Epping, 3079 Ivanhoe, 3083 Bundoora,
  3088 Greensborough, 3095 Eltham, 3101 Kew, 3104 Balwyn North, 3106 Templestowe, 3108 Doncaster, 3121 Richmond, 3122 Hawthorn, 3124 Camberwell, 3128 Box Hill,
  3131 Nunawading, 3134 Ringwood, 3136 Croydon, 3140 Lilydale, 3141 South Yarra, 3144 Malvern, 3148 Chadstone, 3150 Glen Waverley, 3152 Wantirna South,
  3156 Ferntree Gully, 3160 Belgrave, 3162 Caulfield South, 3165 Bentleigh East, 3168 Clayton, 3172 Springvale South, 3175 Dandenong, 3178 Rowville,
  3181 Prahran, 3182 St Kilda, 3186 Brighton, 3192 Cheltenham, 3195 Mordialloc, 3199 Frankston, 3205 South Melbourne, 3207 Port Melbourne, 3214 Corio,
  3216 Highton, 3220 Geelong, 3225 Queenscliff, 3228 Torquay, 3250 Colac, 3260 Camperdown, 3280 Warrnambool, 3300 Hamilton, 3305 Portland,
  3337 Melton, 3340 Bacchus Marsh, 3350 Ballarat, 3377 Ararat, 3380 Stawell, 3400 Horsham, 3427 Sunbury, 3444 Kyneton, 3450 Castlemaine, 3465 Maryborough,
  3500 Mildura, 3550 Bendigo, 3564 Echuca, 3585 Swan Hill, 3616 Shepparton, 3660 Seymour, 3672 Benalla, 3677 Wangaratta, 3690 Wodonga, 3750 Wollert,
  3765 Mount Evelyn, 3777 Healesville, 3791 Belgrave, 3802 Hallam, 3805 Narre Warren, 3806 Berwick, 3810 Pakenham, 3820 Warragul, 3825 Moe, 3840 Morwell,
  3844 Traralgon, 3850 Sale, 3875 Bairnsdale, 3909 Lakes Entrance, 3910 Langwarrin, 3930 Mount Eliza, 3931 Mornington, 3939 Rosebud, 3950 Leongatha,
  3975 Lynbrook, 3977 Cranbourne, 3984 Koo-Wee-Rup, 3995 Wonthaggi, 3997 -
QLD: 4000 Brisbane, 4005 New Farm, 4012 Nundah, 4017 Sandgate, 4019 Margate, 4030 Windsor, 4034 Aspley, 4051 Ashgrove, 4059 Kelvin Grove, 4064 Paddington,
  4066 Toowong, 4068 Indooroopilly, 4074 Jindalee, 4101 South Brisbane, 4109 Sunnybank, 4114 Woodridge, 4120 Annerley, 4152 Carindale, 4157 Capalaba,
  4163 Cleveland, 4170 Morningside, 4178 Wynnum, 4205 Beenleigh, 4211 Nerang, 4215 Southport, 4217 Surfers Paradise, 4220 Burleigh Heads, 4224 Coolangatta,
  4270 Beaudesert, 4300 Springfield, 4305 Ipswich, 4341 Gatton, 4350 Toowoomba, 4370 Warwick, 4380 Stanthorpe, 4390 Goondiwindi, 4405 Dalby, 4455 Roma,
  4470 Charleville, 4500 Strathpine, 4505 Burpengary, 4510 Caboolture, 4551 Caloundra, 4556 Buderim, 4557 Mooloolaba, 4560 Nambour, 4567 Noosa Heads,
  4570 Gympie, 4600 Murgon, 4610 Kingaroy, 4650 Maryborough, 4655 Hervey Bay, 4670 Bundaberg, 4680 Gladstone, 4700 Rockhampton, 4703 Yeppoon, 4720 Emerald,
  4730 Longreach, 4740 Mackay, 4802 Airlie Beach, 4805 Bowen, 4807 Ayr, 4810 Townsville, 4820 Charters Towers, 4825 Mount Isa, 4850 Ingham, 4860 Innisfail,
  4870 Cairns, 4880 Mareeba, 4895 Cooktown, 4896 -
SA: 5000 Adelaide, 5015 Port Adelaide, 5023 Findon, 5037 Plympton, 5043 Marion, 5045 Glenelg, 5050 Blackwood, 5061 Unley, 5067 Norwood, 5081 Prospect,
  5092 Modbury, 5106 Salisbury, 5112 Elizabeth South, 5118 Gawler, 5152 Stirling, 5159 Happy Valley, 5165 Morphett Vale, 5211 Victor Harbor, 5251 Mount Barker,
  5253 Murray Bridge, 5264 Naracoorte, 5290 Mount Gambier, 5333 Loxton, 5341 Renmark, 5351 Tanunda, 5400 Kapunda, 5413 Clare, 5540 Port Pirie, 5554 Kadina,
  5600 Whyalla, 5606 Port Lincoln, 5690 Ceduna, 5700 Port Augusta, 5723 Coober Pedy, 5734 -
WA: 6000 Perth, 6016 Scarborough, 6025 Hillarys, 6027 Joondalup, 6050 Mount Lawley, 6053 Bayswater, 6056 Midland, 6065 Wanneroo, 6100 Victoria Park,
  6107 Cannington, 6110 Gosnells, 6112 Armadale, 6147 Willetton, 6155 Canning Vale, 6160 Fremantle, 6163 Kwinana, 6168 Rockingham, 6208 Mandurah,
  6230 Bunbury, 6280 Busselton, 6285 Margaret River, 6330 Albany, 6401 Northam, 6430 Kalgoorlie, 6450 Esperance, 6530 Geraldton, 6701 Carnarvon,
  6714 Karratha, 6721 Port Hedland, 6725 Broome, 6743 Kununurra, 6771 -
TAS: 7000 Hobart, 7010 Glenorchy, 7018 Bellerive, 7050 Kingston, 7109 Huonville, 7140 New Norfolk, 7171 Sorell, 7248 Launceston, 7268 Launceston,
  7304 Deloraine, 7310 Devonport, 7315 Ulverstone, 7320 Burnie, 7330 Smithton, 7467 Queenstown, 7471 -
`;

const NZ = `
Northland: 0110 Whangarei, 0200 Kawakawa, 0210 Paihia, 0230 Kerikeri, 0310 Dargaville, 0410 Kaitaia, 0494 -
Auckland: 0505 Warkworth, 0600 Henderson, 0610 Henderson, 0620 Takapuna, 0629 Albany, 0740 Takapuna, 0792 Albany, 0800 Kumeu, 0910 Warkworth, 0931 Orewa,
  1010 Auckland, 1050 Remuera, 1060 Panmure, 1071 Auckland, 2010 Howick, 2022 Mangere, 2024 Manurewa, 2025 Papatoetoe, 2102 Manurewa, 2110 Papakura,
  2120 Pukekohe East, 2471 Pukekohe East, 2580 Papakura, 2697 -
Bay of Plenty: 3010 Rotorua, 3110 Tauranga, 3116 Mount Maunganui, 3118 Tauranga, 3119 Te Puke, 3120 Whakatane, 3122 Opotiki, 3127 -
Waikato: 3200 Hamilton, 3300 Morrinsville, 3320 Te Aroha, 3330 Taupo, 3384 Turangi, 3400 Putaruru, 3411 Tokoroa, 3420 Tokoroa, 3434 Cambridge, 3450 Cambridge,
  3500 Thames, 3600 Paeroa, 3700 Ngaruawahia, 3800 Te Awamutu, 3900 Otorohanga, 3910 Te Kuiti, 3990 -
Gisborne: 4010 Gisborne, 4095 -
Hawke's Bay: 4102 Wairoa, 4110 Napier, 4120 Hastings, 4130 Havelock North, 4140 Napier, 4200 Hastings, 4295 -
Taranaki: 4310 New Plymouth, 4320 Waitara, 4332 Stratford, 4352 Stratford, 4398 -
Manawatu-Wanganui: 4410 Palmerston North, 4471 Palmerston North, 4500 Whanganui, 4600 Whanganui, 4702 Palmerston North, 4788 Marton, 4800 Taihape, 4910 Dannevirke, 4999 -, 5510 Levin, 5583 -
Wellington: 5010 Lower Hutt, 5018 Upper Hutt, 5022 Porirua, 5032 Paraparaumu, 5034 Waikanae, 5052 Paraparaumu, 5710 Masterton, 5773 Carterton,
  5810 Masterton, 5895 -, 6011 Wellington, 6972 -
Nelson: 7010 Nelson, 7040 Nelson, 7049 -
Tasman: 7020 Richmond, 7050 Richmond, 7081 Brightwater, 7110 Takaka, 7120 Motueka, 7197 -
Marlborough: 7201 Blenheim, 7220 Picton, 7285 -
Canterbury: 7300 Hanmer Springs, 7400 Rangiora, 7495 Rangiora, 7500 Leeston, 7600 Lincoln, 7630 Kaiapoi, 7674 Rolleston, 7700 Ashburton, 7778 -
West Coast: 7802 Greymouth, 7822 Westport, 7895 Hokitika, 7896 -
Canterbury again: 7901 Timaru, 7920 Temuka, 7999 Twizel, 8011 Christchurch, 8082 Lyttelton, 8083 Christchurch, 8972 -
Otago: 9010 Dunedin, 9024 Mosgiel, 9035 Dunedin, 9210 Balclutha, 9300 Queenstown, 9304 Arrowtown, 9305 Wanaka, 9310 Alexandra, 9320 Alexandra, 9384 Cromwell,
  9400 Oamaru, 9499 -
Southland: 9500 Gore, 9600 Te Anau, 9700 Gore, 9810 Invercargill, 9894 -
`;

/** A stretch of postcodes and the place that stands for it; null where there is none. */
export type Stretch = Readonly<{ from: number; name: string | null; state: string }>;

/** The stretches of each country, in the order of their numbers. */
export const stretches: Readonly<Record<Region, readonly Stretch[]>> = { au: read(AU), nz: read(NZ) };

function read(table: string): Stretch[] {
  const blocks = table.trim().split(/\n(?! )/);
  return blocks
    .flatMap((block) => {
      const [state = '', listed = ''] = block.split(': ');
      return listed.split(/,\s+/).map((entry) => {
        const [from = '', ...name] = entry.trim().split(' ');
        const place = name.join(' ');
        return {
          from: Number(from),
          name: place === '-' ? null : place,
          state: state.replace(/ again$/, ''),
        };
      });
    })
    .sort((a, b) => a.from - b.from);
}
