import type { Media } from './request/events.ts';

/** How the product that sends work orders is reached. */
export type ProductContact = Readonly<{ phone: string; email: string }>;

/** What a view takes from outside of the job: `mediaUrl` mints the link to a file, `thumbnailUrl` the one to its small picture. */
export type ViewSurroundings = Readonly<{
  mediaUrl: (media: Media) => string;
  thumbnailUrl: (media: Pick<Media, 'id'>) => string;
  contact: ProductContact | null;
}>;
