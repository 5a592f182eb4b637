/** What a tradie does in a trade, for example blocked drains. */
export type Specialty = Readonly<{ id: string; name: string }>;

/** A trade of Australia and New Zealand. `people` is what its businesses are called: `Plumbers, Brunswick VIC`. */
export type Trade = Readonly<{
  id: string;
  name: string;
  people: string;
  specialties: readonly Specialty[];
}>;

/**
 * What a business can choose from, in the order in which it is shown. To offer another trade, add a line: its id, its
 * name and what its people are called; below, indented, `id: name` of each specialty, parted by semicolons. Ids are in the
 * log for ever: names may be reworded and trades may move, but an id is never changed, reused or taken out.
 */
const catalogue = `
plumbing | Plumbing services | Plumbers
  blocked-drains: Blocked drains; hot-water: Hot water systems; leaks-and-taps: Leaks, taps and toilets; burst-pipes: Burst pipes;
  bathrooms-and-laundries: Bathrooms and laundries; water-filters: Water filters; rainwater-tanks: Rainwater tanks and pumps; sewer-and-stormwater:
  Sewer and stormwater; backflow: Backflow prevention; emergency: Emergency plumbing
gas-fitting | Gas fitting | Gas fitters
  cooktops-and-ovens: Cooktops and ovens; heaters: Gas heaters; hot-water: Gas hot water; leaks: Gas leaks; lpg: LPG and bottled gas; compliance:
  Compliance certificates; caravans: Caravans and boats
drainage | Drainage services | Drainlayers
  drain-clearing: Drain clearing; cctv: CCTV drain inspection; drainlaying: Drainlaying; pipe-relining: Pipe relining; septic: Septic and wastewater
  systems; soakage: Soak pits and stormwater; tree-roots: Tree root removal
electrical | Electrical services | Electricians
  lighting: Lighting and downlights; power-points: Power points and switches; switchboards: Switchboards and safety switches; fault-finding: Fault
  finding; ceiling-fans: Ceiling fans; smoke-alarms: Smoke alarms; rewiring: Rewiring; ev-chargers: EV chargers; appliances: Ovens and cooktops;
  test-and-tag: Test and tag; emergency: Emergency electrician
solar | Solar and batteries | Solar installers
  panels: Solar panels; batteries: Home batteries; inverters: Inverters; servicing: Servicing and cleaning; off-grid: Off-grid systems; hot-water:
  Solar hot water
air-conditioning | Air conditioning and heating | Air conditioning technicians
  split-systems: Split systems and heat pumps; ducted: Ducted systems; servicing: Servicing and cleaning; repairs: Repairs; evaporative: Evaporative
  cooling; ventilation: Home ventilation; underfloor-heating: Underfloor heating
refrigeration | Refrigeration services | Refrigeration mechanics
  cool-rooms: Cool rooms and freezers; display-fridges: Display fridges; ice-machines: Ice machines; servicing: Servicing; repairs: Repairs
security-and-data | Security, data and TV | Security and data installers
  alarms: Alarms; cctv: Cameras and CCTV; intercoms: Intercoms and access control; data-cabling: Data and phone cabling; antennas: TV antennas;
  home-theatre: Home theatre and TV mounting; smart-home: Smart home
building | Building services | Builders
  new-homes: New homes; extensions: Extensions; renovations: Renovations; granny-flats: Granny flats and minor dwellings; structural: Structural work;
  recladding: Recladding; shop-fitouts: Shop and office fit-outs; repairs: Repairs and maintenance
bathroom-renovations | Bathroom renovations | Bathroom renovators
  full: Full renovation; ensuites: Ensuites; laundries: Laundries; accessible: Accessible bathrooms; showers: Showers and screens; vanities: Vanities
kitchens | Kitchens and cabinet making | Cabinet makers
  new-kitchens: New kitchens; flat-pack: Flat-pack assembly; benchtops: Benchtops; cabinet-doors: Cabinet doors and drawers; wardrobes: Wardrobes;
  laundry-cabinets: Laundry cabinets; shop-joinery: Shop joinery
carpentry | Carpentry services | Carpenters
  doors: Doors and frames; framing: Framing; skirting-and-architraves: Skirting and architraves; stairs: Stairs and handrails; weatherboards:
  Weatherboards; windows: Timber windows; sheds: Sheds and carports; repairs: Timber repairs
decking | Decks and pergolas | Deck builders
  decks: New decks; deck-repairs: Deck repairs; deck-oiling: Sanding and oiling; pergolas: Pergolas and patios; carports: Carports; balustrades:
  Balustrades
painting | Painting services | Painters
  interior: Interior painting; exterior: Exterior painting; roofs: Roof painting; wallpaper: Wallpaper; fences: Fences and decks; spray-painting:
  Spray painting; commercial: Commercial painting; lead-paint: Lead paint removal
plastering | Plastering services | Plasterers
  plasterboard: Plasterboard and Gib; stopping: Stopping and finishing; ceilings: Ceilings; cornices: Cornices; repairs: Patches and repairs; solid:
  Solid plastering
rendering | Rendering services | Renderers
  cement: Cement render; acrylic: Acrylic render; texture: Texture coating; bagging: Bagging; repairs: Crack repairs
tiling | Tiling services | Tilers
  bathrooms: Bathrooms; floors: Floors; splashbacks: Splashbacks; outdoor: Outdoor and pools; regrouting: Regrouting; repairs: Tile repairs; removal:
  Tile removal
waterproofing | Waterproofing services | Waterproofers
  bathrooms: Bathrooms and showers; balconies: Balconies; basements: Basements and tanking; roofs: Roofs and decks; rising-damp: Rising damp
flooring | Flooring services | Floor layers
  timber: Timber floors; laminate: Laminate and hybrid; vinyl: Vinyl; carpet: Carpet laying; sanding: Sanding and polishing; epoxy: Epoxy floors;
  repairs: Floor repairs
bricklaying | Bricklaying services | Bricklayers
  walls: Brick and block walls; retaining-walls: Retaining walls; repointing: Repointing; chimneys: Chimneys and fireplaces; letterboxes: Letterboxes
  and piers; repairs: Brick repairs
stonemasonry | Stonemasonry | Stonemasons
  walls: Stone walls; cladding: Stone cladding; benchtops: Stone benchtops; restoration: Restoration; monuments: Headstones and monuments
concreting | Concreting services | Concreters
  driveways: Driveways; slabs: Slabs and footings; paths: Paths and patios; exposed-aggregate: Exposed aggregate; polished: Polished concrete;
  cutting: Cutting and drilling; repairs: Concrete repairs
paving | Paving services | Pavers
  driveways: Driveways; patios: Patios and courtyards; pools: Pool surrounds; paths: Paths; repairs: Repairs and relaying; asphalt: Asphalt
roofing | Roofing services | Roofers
  tiles: Tiled roofs; metal: Metal and long-run roofs; leaks: Roof leaks; restoration: Roof restoration; new-roofs: New roofs and re-roofing;
  skylights: Skylights; flashing: Flashing and ridge capping; inspections: Roof inspections
guttering | Guttering services | Gutter installers
  new-gutters: New gutters and spouting; downpipes: Downpipes; gutter-guard: Gutter guard; gutter-cleaning: Gutter cleaning; fascia: Fascia and
  soffits; repairs: Repairs
insulation | Insulation services | Insulation installers
  ceilings: Ceilings; walls: Walls; underfloor: Underfloor; removal: Removal and replacement; draught-proofing: Draught proofing; healthy-homes:
  Healthy Homes assessments
glazing | Glazing services | Glaziers
  broken-windows: Broken windows; double-glazing: Double glazing; shower-screens: Shower screens; mirrors: Mirrors and splashbacks; pool-fences: Glass
  pool fences; shopfronts: Shopfronts
windows-and-doors | Windows, doors and screens | Window and door installers
  windows: New windows; doors: New doors; security-screens: Security screens; fly-screens: Fly screens; sliding-doors: Sliding door repairs; shutters:
  Roller shutters
garage-doors | Garage doors | Garage door technicians
  new-doors: New doors; openers: Openers and remotes; repairs: Repairs; servicing: Servicing; gates: Automatic gates
blinds-and-curtains | Blinds and curtains | Blind and curtain fitters
  blinds: Blinds; curtains: Curtains; shutters: Plantation shutters; awnings: Awnings and outdoor blinds; repairs: Repairs
locksmith | Locksmith services | Locksmiths
  lockouts: Lockouts; new-locks: New locks and rekeying; keys: Key cutting; safes: Safes; cars: Car keys; access: Master keys and access
fencing | Fencing services | Fencers
  timber: Timber fences; steel: Steel and Colorbond; pool: Pool fences; gates: Gates; retaining: Retaining walls; rural: Rural fencing; repairs: Fence
  repairs
landscaping | Landscaping services | Landscapers
  design: Garden design; retaining-walls: Retaining walls; turf: Turf and artificial grass; planting: Planting; irrigation: Irrigation;
  garden-lighting: Garden lighting; water-features: Ponds and water features; outdoor-kitchens: Outdoor kitchens
gardening | Gardening and lawn mowing | Gardeners
  lawn-mowing: Lawn mowing; hedge-trimming: Hedge trimming; weeding: Weeding; garden-clean-ups: Garden clean-ups; lawn-care: Lawn care; mulching:
  Mulching; regular-care: Regular garden care
tree-services | Tree services | Arborists
  removal: Tree removal; pruning: Pruning; stump-grinding: Stump grinding; storm-damage: Storm damage; palms: Palm cleaning; land-clearing: Land
  clearing; reports: Arborist reports
excavation | Excavation and earthmoving | Excavation contractors
  site-preparation: Site preparation; trenching: Trenching; bobcat: Bobcat and tipper; mini-excavator: Mini excavator; pool-excavation: Pool
  excavation; driveways: Driveways and roads
demolition | Demolition services | Demolition contractors
  houses: Houses; interiors: Interior strip-outs; sheds: Sheds and garages; pools: Pool removal; concrete: Concrete removal
asbestos-removal | Asbestos removal | Asbestos removalists
  testing: Testing; roofs: Roofs and eaves; walls: Walls and cladding; floors: Vinyl floors; fences: Fences; soil: Contaminated soil
scaffolding | Scaffolding services | Scaffolders
  residential: Residential; commercial: Commercial; mobile-towers: Mobile towers; edge-protection: Edge protection
welding | Welding and metal fabrication | Welders
  mobile-welding: Mobile welding; gates: Gates and railings; structural-steel: Structural steel; stainless-steel: Stainless steel; trailers: Trailers;
  repairs: Repairs
pools | Pool and spa services | Pool technicians
  cleaning: Pool cleaning; servicing: Equipment and servicing; leaks: Leak detection; new-pools: New pools; resurfacing: Resurfacing; heating: Pool
  heating; spas: Spas; inspections: Safety inspections
handyman | Handyman services | Handymen
  odd-jobs: Odd jobs; furniture-assembly: Furniture assembly; picture-hanging: Pictures, shelves and TVs; doors-and-locks: Doors and locks; patching:
  Patching and painting; rental-repairs: Rental repairs; grab-rails: Grab rails and ramps
cleaning | Cleaning services | Cleaners
  regular: Regular house cleaning; end-of-lease: End of lease; spring-cleaning: Spring cleaning; after-builders: After builders; offices: Offices;
  ovens: Ovens and range hoods; holiday-homes: Holiday homes; mould: Mould removal
carpet-cleaning | Carpet cleaning | Carpet cleaners
  steam: Steam cleaning; dry: Dry cleaning; stains: Stains and odours; upholstery: Upholstery; rugs: Rugs; flood-damage: Flood damage; tile-and-grout:
  Tile and grout
window-cleaning | Window and exterior cleaning | Window cleaners
  residential: Houses; commercial: Shops and offices; high-access: High access; solar-panels: Solar panels; pressure-washing: Pressure washing;
  house-washing: House washing; roof-washing: Roof washing
pest-control | Pest control | Pest controllers
  general: General pests; termites: Termites and borer; rodents: Rats and mice; possums-and-birds: Possums and birds; wasps-and-bees: Wasps and bees;
  bed-bugs: Bed bugs; inspections: Pest inspections
rubbish-removal | Rubbish removal | Rubbish removers
  household: Household rubbish; green-waste: Green waste; builders: Builders’ waste; skip-bins: Skip bins; deceased-estates: Deceased estates;
  furniture: Furniture and appliances
removals | Removals and moving | Removalists
  houses: House moves; apartments: Apartments; offices: Office moves; single-items: Single items; packing: Packing; interstate: Long distance; pianos:
  Pianos and heavy items; storage: Storage
appliance-repairs | Appliance repairs | Appliance technicians
  washing-machines: Washing machines; dryers: Dryers; dishwashers: Dishwashers; fridges: Fridges and freezers; ovens: Ovens and cooktops;
  small-appliances: Small appliances
building-inspections | Building inspections | Building inspectors
  pre-purchase: Pre-purchase; new-builds: New builds; dilapidation: Dilapidation; weathertightness: Weathertightness; methamphetamine: Methamphetamine
  testing; thermal: Thermal imaging
`;

/** Every trade that is offered. */
export const trades: readonly Trade[] = catalogue
  .trim()
  .split(/\n(?! )/)
  .map(readTrade);

/** The trade with this id; undefined for one that is not offered. */
export function findTrade(id: string): Trade | undefined {
  return trades.find((trade) => trade.id === id);
}

/** A trade's name where it stands among others: `Plumbing` for `Plumbing services`. */
export function shortTradeName(name: string): string {
  return name.replace(/ services$/i, '');
}

/** The trade that a specialty belongs to; undefined for a specialty that is not offered. */
export function findTradeOfSpecialty(specialtyId: string): Trade | undefined {
  return trades.find(({ specialties }) => specialties.some(({ id }) => id === specialtyId));
}

/** A specialty's id begins with its trade's, so that two trades may both do repairs. */
function readTrade(entry: string): Trade {
  const [first = '', ...lines] = entry.split('\n');
  const [id = '', name = '', people = ''] = first.split(' | ');
  const specialties = lines
    .map((line) => line.trim())
    .join(' ')
    .split('; ')
    .map((specialty) => {
      const [key = '', words = ''] = specialty.split(': ');
      return { id: `${id}-${key}`, name: words };
    });
  return { id, name, people, specialties };
}
