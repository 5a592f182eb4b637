import { isEnquiryFormEvent } from '#core/enquiry-form/events.ts';
import type { Region } from '#core/values/region.ts';
import { defaultThemeColour, type ThemeColour } from '#core/values/theme-colour.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { foldRows, type RowFold } from '#projections/runtime/rows.ts';
import { evolveChoices, type FormChoices } from './questions.ts';

type PublicFormRow = Readonly<{
  business_id: string;
  slug: string | null;
  name: string;
  tagline: string;
  region: Region;
  theme: ThemeColour;
  logo: string | null;
  intro: string;
  phone: string | null;
  email: string | null;
  branded_at: string | null;
  revision: number;
}>;

type QuestionsRow = Readonly<{ business_id: string; form: FormChoices; revision: number }>;

const forms: RowFold<PublicFormRow> = {
  table: 'public_forms',
  category: 'business',
  key: 'business_id',
  columns: [
    ...(['business_id', 'slug', 'name', 'tagline', 'region', 'theme', 'logo', 'intro'] as const),
    ...(['phone', 'email', 'branded_at', 'revision'] as const),
  ],
  evolve(row, { event }) {
    switch (event?.type) {
      case 'BusinessRegistered': {
        const { businessId, tradingName, name, tagline, region } = event.data;
        const face = { slug: null, theme: defaultThemeColour, logo: null, intro: '', branded_at: null };
        const shown = { name: tradingName || name, tagline, region, phone: null, email: null };
        return row ?? { business_id: businessId, ...shown, ...face };
      }
      case 'BusinessDetailsChanged':
        return row && { ...row, name: event.data.tradingName || event.data.name };
      case 'BusinessBranded': {
        const { slug, theme, logo, brandedAt } = event.data;
        return row && { ...row, slug, theme, logo, branded_at: brandedAt };
      }
      case 'BusinessIntroduced':
        return row && { ...row, intro: event.data.intro };
      case 'BusinessContactPublished':
        return row && { ...row, phone: event.data.phone, email: event.data.email };
      default:
        return row;
    }
  },
};

const questions: RowFold<QuestionsRow> = {
  table: 'public_form_questions',
  category: 'enquiryForm',
  key: 'business_id',
  columns: ['business_id', 'form', 'revision'],
  evolve(row, { event }) {
    if (!event || !isEnquiryFormEvent(event)) return row;
    const form = evolveChoices(row?.form, event);
    return form && { business_id: row?.business_id ?? event.data.businessId, form };
  },
};

/** What customers see of a business at its public address, and what it asks them. */
export const publicForm: Projection = {
  name: 'public-form',
  version: 1,
  tables: ['public_forms', 'public_form_questions'],
  categories: ['business', 'enquiryForm'],
  async apply(db, table, events) {
    const businesses = await foldRows(db, table, forms, events);
    const asked = await foldRows(db, table, questions, events);
    return [
      ...businesses.map(({ after: { business_id: id } }) => {
        return { businessId: id, kind: 'business', id } as const;
      }),
      ...asked.map(({ after: { business_id: id } }) => ({ businessId: id, kind: 'form', id }) as const),
    ];
  },
};
