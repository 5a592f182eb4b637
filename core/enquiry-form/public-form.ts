import type { ConsumerField } from '#core/job/consumer-fields.ts';
import type { ThemeColour } from '#core/values/business.ts';
import type { Region } from '#core/values/region.ts';

/** A question as the customer meets it. `options` only for `choice`. */
export type PublicQuestion = Readonly<{
  id: string;
  title: string;
  description: string | null;
  kind: 'text' | 'long-text' | 'number' | 'choice';
  options: readonly string[];
  field: ConsumerField | null;
  necessary: boolean;
  /** The trade that it is asked for; null for a general one. */
  trade: string | null;
}>;

/** What `/t/{slug}` shows: nothing of the owner beyond what the business chose to publish. */
export type PublicForm = Readonly<{
  slug: string;
  name: string;
  tagline: string;
  intro: string;
  logoUrl: string | null;
  theme: ThemeColour;
  region: Region;
  /** Names of its trades, without `services`. */
  trades: readonly string[];
  contact: Readonly<{ phone: string | null; email: string | null }>;
  questions: readonly PublicQuestion[];
}>;
