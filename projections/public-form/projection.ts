import { type EnquiryFormEvent, isEnquiryFormEvent } from '#core/enquiry-form/events.ts';
import { type EnquiryFormState, evolveEnquiryForm } from '#core/enquiry-form/state.ts';
import { fold } from '#core/kernel/decider.ts';
import type { Region } from '#core/values/region.ts';
import { defaultThemeColour, type ThemeColour } from '#core/values/theme-colours.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { foldRows, type RowFold } from '#projections/runtime/rows.ts';
import {
  code,
  declareTable,
  instant,
  integer,
  json,
  nullable,
  type RowOf,
  text,
} from '#projections/runtime/table.ts';

const formsTable = declareTable({
  name: 'public_forms',
  columns: {
    business_id: code(),
    slug: nullable(code()),
    name: text(),
    tagline: text(),
    region: text<Region>(),
    theme: text<ThemeColour>(),
    logo: nullable(text()),
    intro: text(),
    phone: nullable(text()),
    email: nullable(text()),
    // Since when it has this address. A new name is a new version, and until that is built customers would find no form.
    branded_at: nullable(instant()),
    revision: integer(),
  },
  primaryKey: ['business_id'],
  // Not unique: a reservation before the append settles who has a slug, and a parked event must not block another business.
  indexes: { slug: '(slug)' },
  visible: 'to all sessions',
});
type PublicFormRow = RowOf<typeof formsTable>;

const questionsTable = declareTable({
  name: 'public_form_questions',
  columns: { business_id: code(), form: json<FormChoices>(), revision: integer() },
  primaryKey: ['business_id'],
  visible: 'to all sessions',
});
type QuestionsRow = RowOf<typeof questionsTable>;

const forms: RowFold<PublicFormRow> = {
  table: formsTable,
  category: 'business',
  isEnd: ({ event }) => event?.type === 'BusinessClosed',
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
      case 'TaglineChanged':
        return row && { ...row, tagline: event.data.tagline };
      case 'PublicAddressChanged':
        return row && { ...row, slug: event.data.slug, branded_at: event.data.changedAt };
      case 'ThemeChanged':
        return row && { ...row, theme: event.data.theme };
      case 'LogoChanged':
        return row && { ...row, logo: event.data.logo };
      case 'LogoRemoved':
        return row && { ...row, logo: null };
      case 'BusinessIntroduced':
        return row && { ...row, intro: event.data.intro };
      case 'BusinessContactPublished':
        return row && { ...row, phone: event.data.phone, email: event.data.email };
      // Offline: a business that stays open after all is given its address again.
      case 'BusinessClosurePlanned':
        return row && { ...row, slug: null };
      default:
        return row;
    }
  },
};

const questions: RowFold<QuestionsRow> = {
  table: questionsTable,
  category: 'enquiryForm',
  isEnd: ({ event }) => event?.type === 'EnquiryFormClosed',
  evolve(row, { event }) {
    if (!event || !isEnquiryFormEvent(event)) return row;
    const form = evolveChoices(row?.form, event);
    return form && { business_id: row?.business_id ?? event.data.businessId, form };
  },
};

const shape = { name: 'public-form', version: 1 } as const;

/** The tables that this release reads, quoted, with their schema. */
const { table: live } = liveBuild(shape);
export const publicFormTables = {
  forms: live(formsTable.name),
  questions: live(questionsTable.name),
} as const;

/** What customers see of a business at its public address, and what it asks them. */
export const publicForm: Projection = {
  ...shape,
  tables: [formsTable, questionsTable],
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

/**
 * What a business made of its form. The texts of standard questions are not in here: they come from the code that
 * shows them, so that a better wording needs no rebuild.
 */
export type FormChoices = Readonly<{
  trades: readonly string[];
  added: readonly EnquiryFormEvent<'QuestionAdded'>['data'][];
  /** By question: the last tick or untick. */
  ticks: Readonly<Record<string, boolean>>;
}>;

/** The choices after an event; undefined until the form is opened. */
export function evolveChoices(
  choices: FormChoices | undefined,
  event: EnquiryFormEvent,
): FormChoices | undefined {
  if (event.type === 'EnquiryFormOpened') {
    return choices ?? { trades: event.data.trades, added: [], ticks: {} };
  }
  if (choices === undefined) return undefined;
  const { added, ticks } = choices;
  switch (event.type) {
    case 'TradesChanged':
      return { ...choices, trades: event.data.trades };
    case 'QuestionEnabled':
      return { ...choices, ticks: { ...ticks, [event.data.questionId]: true } };
    case 'QuestionDisabled':
      return { ...choices, ticks: { ...ticks, [event.data.questionId]: false } };
    case 'QuestionAdded': {
      const { [event.data.questionId]: _, ...others } = ticks;
      return { ...choices, added: [...added, event.data], ticks: others };
    }
    case 'QuestionReworded': {
      const { questionId, newId, question } = event.data;
      const { [questionId]: tick, ...others } = ticks;
      return {
        ...choices,
        added: added.map((one) =>
          one.questionId === questionId ? { ...one, questionId: newId, question } : one,
        ),
        ticks: tick === undefined ? others : { ...others, [newId]: tick },
      };
    }
    case 'QuestionRemoved': {
      const { [event.data.questionId]: _, ...others } = ticks;
      return {
        ...choices,
        added: added.filter(({ questionId }) => questionId !== event.data.questionId),
        ticks: others,
      };
    }
    default:
      return choices;
  }
}

/** The form that these choices make, with the texts as they are today. */
export function formOf(businessId: string, { trades, added, ticks }: FormChoices): EnquiryFormState {
  const events: EnquiryFormEvent[] = [
    { type: 'EnquiryFormOpened', data: { businessId, trades, openedAt: '' } },
    ...added.map((data) => ({ type: 'QuestionAdded', data }) as const),
    ...Object.entries(ticks).map(([questionId, ticked]): EnquiryFormEvent => {
      return ticked
        ? { type: 'QuestionEnabled', data: { businessId, questionId, enabledAt: '' } }
        : { type: 'QuestionDisabled', data: { businessId, questionId, disabledAt: '' } };
    }),
  ];
  return fold({ evolve: evolveEnquiryForm, initialState: null }, events);
}
