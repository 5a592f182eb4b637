/** The pages that this site has, by path: each shows one way to use the layout. */
export const cases = {
  defaults: {},
  slots: { slots: true },
  modal: { layout: 'modal', slots: true },
  'modal-bare': { layout: 'modal' },
  none: { layout: 'none' },
  sm: { width: 'sm' },
  md: { width: 'md' },
  lg: { width: 'lg' },
  xl: { width: 'xl' },
  'no-footer': { footer: false },
  'modal-footer': { layout: 'modal', footer: true },
  full: { fullHeight: true },
  'full-phone-bar': { fullHeight: true, mobileBar: true },
  'full-modal': { fullHeight: true, layout: 'modal' },
  'phone-bar': { mobileBar: true },
  chatbot: {},
  jobs: {},
  'jobs/new': {},
  'jobs/all': {},
  'jobs/details/1': {},
  profile: {},
  'profile/brand': {},
} as const satisfies Record<string, object>;

export type LayoutCase = keyof typeof cases;
