import type { EnquiryFormEvent } from './events.ts';
import type { PublicQuestion } from './public-form.ts';
import { type FormQuestion, questionsOfTrade, standardQuestions } from './standard-questions.ts';

/** A business's form; null before it is opened. */
export type EnquiryFormState = Readonly<{
  businessId: string;
  trades: readonly string[];
  questions: readonly FormQuestion[];
  isClosed: boolean;
}> | null;

/** The form after one more event. An event about a question that is not there changes nothing. */
export function evolveEnquiryForm(state: EnquiryFormState, event: EnquiryFormEvent): EnquiryFormState {
  if (event.type === 'EnquiryFormOpened') {
    const { businessId, trades } = event.data;
    const questions = [...standardQuestions, ...[...new Set(trades)].flatMap(questionsOfTrade)];
    return state ?? { businessId, trades, questions, isClosed: false };
  }
  if (state === null) return null;
  switch (event.type) {
    case 'QuestionEnabled':
      return { ...state, questions: toggled(state.questions, event.data.questionId, true) };
    case 'QuestionDisabled':
      return { ...state, questions: toggled(state.questions, event.data.questionId, false) };
    case 'QuestionAdded':
      return { ...state, questions: [...state.questions, custom(event)] };
    case 'EnquiryFormClosed':
      return { ...state, questions: [], isClosed: true };
    default:
      return state;
  }
}

/** Every question in the order in which it is met: general ones first, then trade by trade, ours before the tradie's own. */
export function questionsInOrder({ questions, trades }: NonNullable<EnquiryFormState>): FormQuestion[] {
  const place = ({ trade }: FormQuestion) => (trade === null ? -1 : trades.indexOf(trade));
  return questions.toSorted((a, b) => place(a) - place(b) || Number(a.own) - Number(b.own) || a.seq - b.seq);
}

/** What a customer is asked: the enabled questions that the form has no input of its own for. */
export function publicQuestions(state: EnquiryFormState): PublicQuestion[] {
  if (state === null) return [];
  return questionsInOrder(state)
    .filter(({ enabled, builtIn }) => enabled && !builtIn)
    .map(({ id, title, description, kind, options, field, necessary, trade }) => {
      return { id, title, description, kind, options, field, necessary, trade };
    });
}

function toggled(questions: readonly FormQuestion[], id: string, enabled: boolean): FormQuestion[] {
  return questions.map((question) => (question.id === id ? { ...question, enabled } : question));
}

function custom({ data }: EnquiryFormEvent<'QuestionAdded'>): FormQuestion {
  const { questionId, trade, question, seq } = data;
  const asked = { id: questionId, title: question, kind: 'text', trade, seq, enabled: true } as const;
  return {
    ...asked,
    description: null,
    options: [],
    field: null,
    necessary: false,
    builtIn: false,
    own: true,
  };
}
