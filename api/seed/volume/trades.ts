/** A trade, what its businesses call themselves, and what people ask them for. */
export type Trade = Readonly<{
  id: string;
  /** For a business's name: `Ngata Plumbing`. */
  work: string;
  /** For the line under it: `Plumbers, Brunswick VIC`. */
  people: string;
  titles: readonly string[];
}>;

const trade = (id: string, work: string, people: string, titles: string): Trade => {
  return { id, work, people, titles: titles.trim().split(/\s*;\s*/) };
};

export const trades: readonly Trade[] = [
  trade(
    ...(['plumbing', 'Plumbing', 'Plumbers'] as const),
    `Blocked kitchen sink; Leaking shower mixer; Hot water unit, no hot water; Toilet keeps running; Burst pipe under the
    house; Dishwasher connection; Gas cooktop install; Laundry trough and taps; Replace clay sewer; Garden tap and pipe;
    Low water pressure; Rainwater tank pump`,
  ),
  trade(
    ...(['electrical', 'Electrical', 'Electricians'] as const),
    `Power point sparks; Switchboard upgrade; Downlights for the lounge; Ceiling fan install; Oven trips the power; Smoke
    alarms to replace; EV charger in the garage; Heat pump wiring; Outdoor lights; No power in half the house;
    Safety switch keeps tripping; Data points for a home office`,
  ),
  trade(
    ...(['carpentry', 'Carpentry', 'Carpenters'] as const),
    `Deck boards rotten; Door sticks; Pergola over the patio; Built-in wardrobe; Floorboards squeak; Replace sash window;
    Skirting boards; Stair handrail; Shed on a slab; Kitchen cabinet doors; Fence palings and two posts; Cat door`,
  ),
  trade(
    ...(['painting', 'Painting', 'Painters'] as const),
    `Exterior weatherboards; Two bedrooms and a hall; Ceiling water stain; Front fence; Roof repaint; Feature wall;
    Kitchen cupboards; Villa, inside and out; Strip wallpaper; Touch-ups before we sell; Garage floor; Window frames`,
  ),
  trade(
    ...(['landscaping', 'Landscapes', 'Landscapers'] as const),
    `Retaining wall; New lawn, front and back; Hedge needs cutting back; Paving by the pool; Drainage at the fence;
    Irrigation timer; Tree stump out; Garden beds and mulch; Gravel drive; Monthly garden care; Planter boxes; Steps down the bank`,
  ),
  trade(
    ...(['roofing', 'Roofing', 'Roofers'] as const),
    `Box gutter leaks; Ridge capping loose; Tiles cracked in the hail; Gutter guard; Replace downpipes; Rusted iron sheets;
    Skylight leaks; Whirlybird; Roof inspection before we buy; Flashing around the chimney; Re-roof in steel; Spouting sags`,
  ),
  trade(
    ...(['tiling', 'Tiling', 'Tilers'] as const),
    `Bathroom floor; Splashback; Shower leaks behind the tiles; Regrout the shower; Balcony retile; Laundry floor;
    Pool coping; Hearth; Cracked tiles in the entry; Waterproofing and tiles; Outdoor pavers; Mosaic in the ensuite`,
  ),
  trade(
    ...(['cleaning', 'Cleaning', 'Cleaners'] as const),
    `End of lease clean; Carpet steam clean; Windows, two storeys; Weekly house clean; Gutters; After the builders;
    Pressure wash the drive; Oven and range hood; Office, three evenings a week; Couch and rugs; Mould in the bathroom; Spring clean`,
  ),
];

/** Where in or around a house, after a title. */
export const whereabouts: readonly string[] = [
  ...['', '', '', ' upstairs', ' in the ensuite', ' out the back', ' at the front', ' in the granny flat'],
  ...[' in the shop', ' at the rental', ' for Mum’s place', ' at the bach', ' next to the carport'],
];

export const descriptions: readonly string[] = [
  'It started last week and is getting worse.',
  'The landlord has agreed, please send the quote to me first.',
  'We had somebody look at it in winter, but it came back.',
  'House was built in 1925, nothing is square.',
  'There is a photo I can send. Access is down the side.',
  'We are renovating, so timing is flexible. Builder is on site most days.',
  'Tenant is home all day. Ring before you come.',
  'Happy to pay extra for this week.',
  'Would like two options, a cheap one and a good one.',
  'The last one was put in about 12 years ago.',
  'Body corporate needs your insurance papers beforehand.',
  'Nothing urgent, but before Christmas would be good.',
];

export const wishedTimes: readonly string[] = [
  ...[
    '',
    '',
    'Any weekday',
    'Mornings',
    'After 3 pm',
    'Before 11 if you can',
    'Saturday',
    'As soon as possible',
  ],
];

export const notes: readonly string[] = [
  'Key is under the pot by the back door. Dog is friendly.',
  'Quoted over the phone, customer is thinking about it.',
  'Bring the long ladder and a second pair of hands.',
  'Parts ordered, due Thursday.',
  'Park in the lane, no standing out the front until 10.',
  'Customer wants a price for the laundry next.',
  'Invoice to the property manager, not the tenant.',
  'Old galvanised pipe, allow half a day more.',
  'Warranty job, no charge for labour.',
];
