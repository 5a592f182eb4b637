import type { EnquiryFormEvent } from '#core/enquiry-form/events.ts';
import { type EnquiryFormState, evolveEnquiryForm } from '#core/enquiry-form/state.ts';
import { fold } from '#core/kernel/decider.ts';

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
    case 'QuestionEnabled':
      return { ...choices, ticks: { ...ticks, [event.data.questionId]: true } };
    case 'QuestionDisabled':
      return { ...choices, ticks: { ...ticks, [event.data.questionId]: false } };
    case 'QuestionAdded': {
      const { [event.data.questionId]: _, ...others } = ticks;
      return { ...choices, added: [...added, event.data], ticks: others };
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
