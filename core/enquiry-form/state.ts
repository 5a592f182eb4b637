import type { EnquiryFormEvent } from './events.ts';
import type { PublicQuestion } from './public-form.ts';
import { type FormQuestion, questionsOfTrade, standardQuestions } from './standard-questions.ts';

/** A business's form; null before it is opened. */
export type EnquiryFormState = Readonly<{
  businessId: string;
  trades: readonly string[];
  /** The general questions, and those of its trades. */
  questions: readonly FormQuestion[];
  /** Questions of trades that it has left: they come back with their trade, ticked and worded as they were. */
  resting: readonly FormQuestion[];
  /** Ids of questions of its own that are gone or have other words. */
  removed: readonly string[];
  isClosed: boolean;
}> | null;

/** The form after one more event. An event about a question that is not there changes nothing. */
export function evolveEnquiryForm(state: EnquiryFormState, event: EnquiryFormEvent): EnquiryFormState {
  if (event.type === 'EnquiryFormOpened') {
    const { businessId, trades } = event.data;
    const questions = [...standardQuestions, ...[...new Set(trades)].flatMap(questionsOfTrade)];
    return state ?? { businessId, trades, questions, resting: [], removed: [], isClosed: false };
  }
  if (state === null) return null;
  switch (event.type) {
    case 'TradesChanged':
      return withTrades(state, event.data.trades);
    case 'QuestionEnabled':
      return { ...state, questions: toggled(state.questions, event.data.questionId, true) };
    case 'QuestionDisabled':
      return { ...state, questions: toggled(state.questions, event.data.questionId, false) };
    case 'QuestionAdded': {
      const added = custom(event);
      if (isOf(state.trades, added)) return { ...state, questions: [...state.questions, added] };
      return { ...state, resting: [...state.resting, added] };
    }
    case 'QuestionReworded':
    case 'QuestionRemoved':
      return withoutWords(state, event);
    case 'EnquiryFormClosed':
      return { ...state, questions: [], resting: [], isClosed: true };
    default:
      return state;
  }
}

/** The form of a business that does these trades. What it never had of their questions begins as it comes. */
export function withTrades(
  state: NonNullable<EnquiryFormState>,
  trades: readonly string[],
): NonNullable<EnquiryFormState> {
  const had = [...state.questions, ...state.resting];
  const isNew = ({ id }: FormQuestion) => !had.some((question) => question.id === id);
  const known = [...had, ...[...new Set(trades)].flatMap(questionsOfTrade).filter(isNew)];
  return {
    ...state,
    trades,
    questions: known.filter((question) => isOf(trades, question)),
    resting: known.filter((question) => !isOf(trades, question)),
  };
}

/** The form without the former words of a question of its own, and with the new ones in their place. */
function withoutWords(
  state: NonNullable<EnquiryFormState>,
  event: EnquiryFormEvent<'QuestionReworded' | 'QuestionRemoved'>,
): NonNullable<EnquiryFormState> {
  const { questionId } = event.data;
  const changed = (questions: readonly FormQuestion[]) =>
    questions.flatMap((question): FormQuestion[] => {
      if (question.id !== questionId) return [question];
      if (event.type === 'QuestionRemoved') return [];
      return [{ ...question, id: event.data.newId, title: event.data.question }];
    });
  return {
    ...state,
    questions: changed(state.questions),
    resting: changed(state.resting),
    removed: [...state.removed, questionId],
  };
}

function isOf(trades: readonly string[], { trade }: FormQuestion): boolean {
  return trade === null || trades.includes(trade);
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
