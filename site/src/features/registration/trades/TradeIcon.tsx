import sheet from './trade-icons.svg?url';

/** The drawing of each trade, by its id, on the sheet beside this file. From Lucide (ISC licence, see NOTICE). */
const drawings: Readonly<Record<string, string>> = {
  plumbing: 'droplets',
  'gas-fitting': 'flame',
  drainage: 'cone',
  electrical: 'zap',
  solar: 'sun-medium',
  'air-conditioning': 'air-vent',
  refrigeration: 'snowflake',
  'security-and-data': 'cctv',
  building: 'hammer',
  'bathroom-renovations': 'bath',
  kitchens: 'cooking-pot',
  carpentry: 'drill',
  decking: 'columns-3',
  painting: 'paint-roller',
  plastering: 'shovel',
  rendering: 'shovel',
  tiling: 'layout-grid',
  waterproofing: 'umbrella',
  flooring: 'grid-3x3',
  bricklaying: 'brick-wall',
  stonemasonry: 'mountain',
  concreting: 'construction',
  paving: 'grid-3x3',
  roofing: 'house',
  guttering: 'house',
  insulation: 'thermometer',
  glazing: 'app-window',
  'windows-and-doors': 'door-closed',
  'garage-doors': 'warehouse',
  'blinds-and-curtains': 'blinds',
  locksmith: 'key-round',
  fencing: 'fence',
  landscaping: 'trees',
  gardening: 'leaf',
  'tree-services': 'axe',
  excavation: 'tractor',
  demolition: 'bomb',
  'asbestos-removal': 'biohazard',
  scaffolding: 'construction',
  welding: 'anvil',
  pools: 'waves-ladder',
  handyman: 'wrench',
  cleaning: 'brush-cleaning',
  'carpet-cleaning': 'sparkles',
  'window-cleaning': 'spray-can',
  'pest-control': 'bug',
  'rubbish-removal': 'recycle',
  removals: 'truck',
  'appliance-repairs': 'washing-machine',
  'building-inspections': 'clipboard-check',
};

/** Draws a trade; a wrench for one that has no drawing of its own. Decorative. */
export function TradeIcon({ trade }: Readonly<{ trade: string }>) {
  return (
    <svg className="icon icon--lg" aria-hidden="true">
      <use href={`${sheet}#${drawings[trade] ?? 'wrench'}`} />
    </svg>
  );
}
