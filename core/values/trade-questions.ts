/** What a tradie of a trade likes to know beforehand. `options` only for a choice. */
export type TradeQuestion = Readonly<{
  id: string;
  trade: string;
  title: string;
  kind: 'text' | 'number' | 'choice';
  options: readonly string[];
}>;

/**
 * What a form can ask for each trade of `trade-catalogue.ts`, in the order in which it is asked; a tradie ticks what he wants.
 * To offer another question, add a line: its id and its words, then `= one / another` for a choice or `#` for a number. Ids
 * are in the log for ever: a question may be reworded, but an id is never changed, reused or given to another question.
 */
const catalogue = `
plumbing
  water: Is water running now? = No / Yes / It drips
  where: Where is the leak or blockage?
  hot-water: How is your water heated? = Gas / Electric / Solar / Heat pump / Not sure
  stopcock: Is there a working stopcock? = Yes / No / Not sure
gas-fitting
  smell: Can you smell gas? = No / Yes
  supply: Which gas do you have? = Mains gas / Bottles / Not sure
  appliance: Which appliance is it about?
  connected: Is gas already connected there? = Yes / No / Not sure
drainage
  blocked: Which drains are slow or blocked? = One / Several / All of them / None
  overflow: Is anything overflowing? = No / Inside / Outside
  before: Has it happened before? = No / Yes
  trees: Are there trees close to the drains? = No / Yes
electrical
  power: Is the power off? = No / In one room / In the whole house
  points: How many lights, points or fans? #
  switchboard: Is there a safety switch in your switchboard? = Yes / No / Not sure
solar
  roof: What is your roof made of? = Tiles / Metal / Flat / Not sure
  bill: How much is your usual power bill?
  phases: Do you have single or three phase power? = Single phase / Three phase / Not sure
  battery: Would you like a battery? = Yes / No / Perhaps later
air-conditioning
  rooms: How many rooms? #
  size: How large is the largest room?
  existing: Is there a system already? = No / It works / It does not work
  outdoor: Where could the outdoor unit stand?
refrigeration
  equipment: Which equipment is it about?
  temperature: Is it holding its temperature? = Yes / No / Not sure
  stock: Is stock at risk? = No / Yes
security-and-data
  wanted: What would you like? = Alarm / Cameras / Intercom / Data or NBN / TV and aerial / Something else
  points: How many cameras or points? #
  internet: Is there internet on site? = Yes / No
building
  project: What kind of project is it? = New home / Extension / Renovation / Repair / Something else
  plans: Do you have plans? = No / A sketch / Drawn plans / Approved plans
  start: When would you like work to begin?
bathroom-renovations
  scope: How much is to be done? = Everything / Part of it / Repairs only
  layout: Does the layout stay as it is? = Yes / No / Not sure
  size: How large is the bathroom?
  fittings: Have you chosen tiles and fittings? = Yes / No / Some of them
kitchens
  scope: What is to be done? = New kitchen / New doors and benchtops / Other cabinets / Repairs
  size: How long are the benches, in metres?
  layout: Does the layout stay as it is? = Yes / No / Not sure
  benchtop: Which benchtop would you like? = Laminate / Stone / Timber / Not sure
carpentry
  work: What is to be made or mended?
  size: What are the measurements?
  materials: Do you have the material? = Yes / No / Some of it
decking
  size: How large is it, in square metres?
  height: How high above the ground? = On the ground / Up to 1 metre / Higher
  timber: Which material would you like? = Treated pine / Hardwood / Composite / Not sure
painting
  where: What is to be painted? = Inside / Outside / Both
  rooms: How many rooms? #
  surface: Is the paint flaking or the wall damaged? = No / A little / A lot
  furnished: Will the rooms be empty? = Yes / No
plastering
  damage: What is wrong? = Crack / Hole / Water damage / New walls or ceilings / Something else
  size: How large is the area?
  ceiling: Is it a wall or a ceiling? = Wall / Ceiling / Both
rendering
  surface: What is the wall made of? = Brick / Block / Concrete / Painted / Not sure
  size: How large is the area, in square metres?
  scaffold: How many storeys high? #
tiling
  where: Where are the tiles to go? = Bathroom / Kitchen / Floor / Outside / Somewhere else
  size: How large is the area, in square metres?
  tiles: Do you have the tiles? = Yes / No
  old: Are there old tiles to take off? = Yes / No
waterproofing
  where: Where is the water coming in?
  since: How long has it been leaking?
  size: How large is the area, in square metres?
flooring
  size: How large is the floor, in square metres?
  floor: Which floor would you like? = Timber / Laminate / Vinyl / Carpet / Sand and polish / Not sure
  old: What is on the floor now?
  stairs: Are there stairs? = No / Yes
bricklaying
  work: What is to be built? = Wall / Fence / Letterbox / Repair or repointing / Something else
  size: How long and how high?
  bricks: Do you have the bricks? = Yes / No / To match what is there
stonemasonry
  work: What is to be made or mended?
  stone: Which stone? = Bluestone / Sandstone / Granite / Schist / Not sure
  size: What are the measurements?
concreting
  what: What is to be concreted? = Driveway / Path / Slab / Patio / Something else
  size: How large is it, in square metres?
  finish: Which finish? = Plain / Exposed aggregate / Coloured / Not sure
  old: Is there old concrete to take out? = No / Yes
paving
  size: How large is the area, in square metres?
  pavers: Do you have the pavers? = Yes / No
  ground: What is there now? = Grass or soil / Old paving / Concrete / Something else
roofing
  leaking: Is it leaking now? = No / Yes / When it rains
  roof: What is the roof made of? = Tiles / Metal / Slate / Flat / Not sure
  age: How old is the roof?
  pitch: How steep is it? = Flat / Gentle / Steep
guttering
  length: How many metres, roughly?
  what: What is it about? = Cleaning / Repair / New gutters / Gutter guard
  trees: Do trees hang over the roof? = No / Yes
insulation
  where: What is to be insulated? = Ceiling / Walls / Under the floor / All of it
  size: How large is the area, in square metres?
  old: Is there insulation now? = No / Yes / Not sure
glazing
  broken: Is the glass broken? = No / Cracked / Broken
  size: What are the measurements?
  safe: Is the opening safe for now? = Yes / No
windows-and-doors
  count: How many windows or doors? #
  size: What are the measurements?
  frame: Which frames? = Aluminium / Timber / uPVC / Not sure
garage-doors
  door: Which kind of door? = Roller / Sectional / Tilt / Not sure
  stuck: Does it open and close? = Yes / Stuck open / Stuck closed
  opener: Which make is the opener?
blinds-and-curtains
  count: How many windows? #
  kind: What would you like? = Roller blinds / Venetians / Curtains / Shutters / Outdoor / Not sure
  measured: Have you measured? = No / Yes
locksmith
  locked: Are you locked out? = No / Yes
  locks: How many locks? #
  door: What kind of door or lock is it?
fencing
  length: How many metres? #
  fence: Which fence? = Timber / Colorbond / Pool fence / Picket / Rural / Not sure
  old: Is there an old fence to take away? = Yes / No
  neighbour: Does your neighbour agree? = Yes / Not asked yet / No neighbour
landscaping
  size: How large is the area, in square metres?
  plan: Do you have a design? = No / Ideas / A drawn plan
  access: How wide is the way in for machines?
  slope: Is the ground level? = Yes / It slopes / It is steep
gardening
  size: How large is the garden? = Small / Quarter acre / Larger
  state: When was it last done?
  waste: Shall we take the green waste? = Yes / No
tree-services
  trees: How many trees? #
  height: How high is the tallest? = Up to 5 metres / 5 to 10 metres / Higher
  near: Are there houses or power lines close by? = No / House / Power lines / Both
  permit: Do you have the council’s permit? = Yes / No / Not sure
excavation
  what: What is to be dug?
  access: How wide is the way in?
  services: Do you know where pipes and cables run? = Yes / No
demolition
  what: What is to be taken down?
  size: How large is it, in square metres?
  asbestos: Could there be asbestos? = No / Yes / Not sure
asbestos-removal
  where: Where is it? = Roof / Walls / Floor / Fence / Eaves / Somewhere else
  size: How large is the area, in square metres?
  tested: Has it been tested? = Yes / No
  state: Is it broken? = No / Yes
scaffolding
  height: How many storeys high? #
  length: How many metres long?
  weeks: For how many weeks? #
welding
  metal: Which metal? = Steel / Stainless steel / Aluminium / Not sure
  where: Can it be brought to us? = Yes / No
  size: What are the measurements?
pools
  pool: Which kind of pool? = Concrete / Fibreglass / Vinyl / Spa / Above ground
  water: What does the water look like? = Clear / Cloudy / Green
  equipment: Which make are the pump and the filter?
handyman
  jobs: What are all the little jobs?
  ladder: Is a tall ladder needed? = No / Yes
  materials: Do you have the material? = Yes / No / Some of it
cleaning
  size: How large is it, in square metres?
  last: When was it last cleaned?
  supplies: Do you have cleaning products there? = Yes / No
carpet-cleaning
  rooms: How many rooms? #
  stains: What are the stains from?
  stairs: Are there stairs? = No / Yes
window-cleaning
  windows: How many windows, roughly? #
  sides: Which sides? = Outside / Inside / Both
  screens: Are there fly screens? = No / Yes
pest-control
  pest: What have you seen? = Ants / Cockroaches / Spiders / Rats or mice / Termites / Wasps or bees / Something else
  where: Where have you seen them?
  children: Are small children in the house? = No / Yes
rubbish-removal
  amount: How much is it? = A few items / A ute full / A truck full / More
  what: What is in it?
  access: Where does it stand? = On the street / In the driveway / Behind the house / Inside
removals
  to: Where to?
  heavy: Is anything very heavy or fragile?
  access: Are there stairs or a lift? = No / Stairs / Lift
appliance-repairs
  appliance: Which appliance is it?
  make: Which make and model?
  fault: What does it do, or not do?
  warranty: Is it under warranty? = No / Yes / Not sure
building-inspections
  report: Which report do you need? = Building / Building and pest / Pest / Something else
  by: By when do you need it?
  agent: Who lets us in?
`;

/** The questions of every trade. */
export const tradeQuestions: readonly TradeQuestion[] = catalogue
  .trim()
  .split(/\n(?! )/)
  .flatMap((block) => {
    const [trade = '', ...lines] = block.split('\n');
    return lines.map((line) => readQuestion(trade, line.trim()));
  });

/** A question's id begins with its trade's. */
function readQuestion(trade: string, line: string): TradeQuestion {
  const [, key = '', title = '', offered, number] = /^([a-z-]+): (.+?)(?: = (.+)| (#))?$/.exec(line) ?? [];
  const kind = offered ? 'choice' : number ? 'number' : 'text';
  return { id: `${trade}-${key}`, trade, title, kind, options: offered?.split(' / ') ?? [] };
}
