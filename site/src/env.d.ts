/// <reference types="astro/client" />

declare namespace App {
  /** What the routes hand to the pages that are rendered on demand. */
  type PageData = import('#api/app.ts').PageData;
  interface Locals extends PageData {}
}

declare module 'virtual:map-base/*' {
  /** What a region's map is drawn from: made when the site is built (adapter/map-base). */
  export const base: import('#site/ui/map/map-base.ts').MapBase;
}
