import type { Command, Decider } from '#core/kernel/decider.ts';
import {
  ConflictError,
  IllegalTransitionError,
  InvalidInputError,
  NotFoundError,
} from '#core/kernel/errors.ts';
import { customQuestionLength } from '#core/values/job-form.ts';
import { maxTrades } from '#core/values/registration-steps.ts';
import { countCharacters, singleLine, tooLongMessage } from '#core/values/text.ts';
import { findTrade } from '#core/values/trade-catalogue.ts';
import { type EnquiryFormEvent, isEnquiryFormEvent } from './events.ts';
import { type EnquiryFormState, evolveEnquiryForm, withTrades } from './state.ts';

/** The most questions of a form, so that a customer can answer them all in one request. */
export const maxQuestions = 60;
const tooManyTrades = `You can select up to ${maxTrades} trades.`;

/** What a business asks its customers. */
export const enquiryFormDecider: Decider<EnquiryFormState, EnquiryFormCommand, EnquiryFormEvent> = {
  decide: decideEnquiryForm,
  evolve: evolveEnquiryForm,
  initialState: null,
  owns: isEnquiryFormEvent,
};

function decideEnquiryForm(command: EnquiryFormCommand, state: EnquiryFormState): EnquiryFormEvent[] {
  switch (command.type) {
    case 'OpenEnquiryForm':
      return openEnquiryForm(command, state);
    case 'ChangeTrades':
      return changeTrades(command, state);
    case 'EnableQuestion':
      return enableQuestion(command, state);
    case 'DisableQuestion':
      return disableQuestion(command, state);
    case 'AddQuestion':
      return addQuestion(command, state);
    case 'RewordQuestion':
      return rewordQuestion(command, state);
    case 'RemoveQuestion':
      return removeQuestion(command, state);
    case 'CloseEnquiryForm':
      return closeForm(command, state);
    default:
      return command satisfies never;
  }
}

function openEnquiryForm({ data, at }: OpenEnquiryForm, state: EnquiryFormState): EnquiryFormEvent[] {
  const { businessId, trades } = data;
  if (state?.businessId === businessId && state.trades.join() === trades.join()) return [];
  if (state !== null) throw new ConflictError('This form already exists');
  if (new Set(trades).size > maxTrades) throw invalid('trades', tooManyTrades);
  return [{ type: 'EnquiryFormOpened', data: { businessId, trades, openedAt: at } }];
}

/** A trade that it has already stays, also where it is no longer offered. */
function changeTrades({ data, at }: ChangeTrades, state: EnquiryFormState): EnquiryFormEvent[] {
  const form = ownForm(data.businessId, state);
  const { trades } = data;
  if (trades.join() === form.trades.join()) return [];
  if (trades.length === 0) throw invalid('trades', 'Choose at least one trade');
  if (trades.length > maxTrades) throw invalid('trades', tooManyTrades);
  const isOffered = (id: string) => form.trades.includes(id) || findTrade(id) !== undefined;
  if (new Set(trades).size < trades.length || !trades.every(isOffered))
    throw invalid('trades', 'Choose from the list of trades');
  if (withTrades(form, trades).questions.length > maxQuestions)
    throw invalid('trades', `With these trades your form would have more than ${maxQuestions} questions`);
  return [{ type: 'TradesChanged', data: { ...data, changedAt: at } }];
}

function enableQuestion({ data, at }: EnableQuestion, state: EnquiryFormState): EnquiryFormEvent[] {
  const question = questionOf(data.questionId, ownForm(data.businessId, state));
  return question.enabled ? [] : [{ type: 'QuestionEnabled', data: { ...data, enabledAt: at } }];
}

function disableQuestion({ data, at }: DisableQuestion, state: EnquiryFormState): EnquiryFormEvent[] {
  const question = questionOf(data.questionId, ownForm(data.businessId, state));
  if (question.necessary) throw new IllegalTransitionError('This question is always asked');
  return question.enabled ? [{ type: 'QuestionDisabled', data: { ...data, disabledAt: at } }] : [];
}

function addQuestion({ data, at }: AddQuestion, state: EnquiryFormState): EnquiryFormEvent[] {
  const { questions, trades, removed } = ownForm(data.businessId, state);
  const question = singleLine(data.question);
  const taken = questions.find(({ id }) => id === data.questionId);
  if (taken?.title === question && taken.trade === data.trade) return [];
  if (taken) throw new ConflictError('This question was already added with other words');
  if (removed.includes(data.questionId)) throw new ConflictError('This question was removed');
  assertAskable(question);
  if (data.trade !== null && !trades.includes(data.trade))
    throw invalid('trade', 'Choose one of your trades');
  if (questions.length >= maxQuestions)
    throw new IllegalTransitionError('This form has no room for more questions');
  const places = questions.filter(({ trade }) => trade === data.trade).map(({ seq }) => seq);
  const seq = Math.max(0, ...places) + 1;
  return [{ type: 'QuestionAdded', data: { ...data, question, seq, addedAt: at } }];
}

function rewordQuestion({ data, at }: RewordQuestion, state: EnquiryFormState): EnquiryFormEvent[] {
  const form = ownForm(data.businessId, state);
  const question = singleLine(data.question);
  const done = form.questions.find(({ id }) => id === data.newId);
  if (done) {
    if (done.title === question) return [];
    throw new ConflictError('This question was already saved with other words');
  }
  const before = customOf(data.questionId, form);
  assertAskable(question);
  return before.title === question
    ? []
    : [{ type: 'QuestionReworded', data: { ...data, question, rewordedAt: at } }];
}

function removeQuestion({ data, at }: RemoveQuestion, state: EnquiryFormState): EnquiryFormEvent[] {
  const form = ownForm(data.businessId, state);
  if (form.removed.includes(data.questionId)) return [];
  customOf(data.questionId, form);
  return [{ type: 'QuestionRemoved', data: { ...data, removedAt: at } }];
}

/** A question that is the tradie's own. Those that the product asks are ticked or not, and stay as they are. */
function customOf(questionId: string, form: NonNullable<EnquiryFormState>) {
  const question = questionOf(questionId, form);
  if (!question.own) throw new IllegalTransitionError('Only questions of your own can be changed');
  return question;
}

function assertAskable(question: string): void {
  if (question === '') throw invalid('question', 'Type in your question');
  if (countCharacters(question) > customQuestionLength)
    throw invalid('question', tooLongMessage(customQuestionLength));
}

/** A business without a form has none to close. */
function closeForm({ data, at }: CloseEnquiryForm, state: EnquiryFormState): EnquiryFormEvent[] {
  if (state === null || state.isClosed) return [];
  if (state.businessId !== data.businessId) throw new NotFoundError('Form not found');
  return [{ type: 'EnquiryFormClosed', data: { ...data, closedAt: at } }];
}

function ownForm(businessId: string, state: EnquiryFormState): NonNullable<EnquiryFormState> {
  if (state === null || state.businessId !== businessId) throw new NotFoundError('Form not found');
  if (state.isClosed) throw new ConflictError('This business was closed');
  return state;
}

function questionOf(questionId: string, { questions }: NonNullable<EnquiryFormState>) {
  const question = questions.find(({ id }) => id === questionId);
  if (!question) throw new NotFoundError('Question not found');
  return question;
}

function invalid(field: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { [field]: message });
}

type Of = Readonly<{ businessId: string }>;

/** `trades` are the ids of at most three trades. */
type OpenEnquiryForm = Command<'OpenEnquiryForm', Of & { trades: readonly string[] }>;
type ChangeTrades = Command<'ChangeTrades', Of & { trades: readonly string[] }>;
type EnableQuestion = Command<'EnableQuestion', Of & { questionId: string }>;
type DisableQuestion = Command<'DisableQuestion', Of & { questionId: string }>;
/** A question of the tradie's own; `trade` null makes it a general one. Its place in the order is decided here. */
type AddQuestion = Command<
  'AddQuestion',
  Of & { questionId: string; trade: string | null; question: string }
>;

/** Other words for a question of the tradie's own, which customers know by `newId` from then on. */
type RewordQuestion = Command<'RewordQuestion', Of & { questionId: string; newId: string; question: string }>;
type RemoveQuestion = Command<'RemoveQuestion', Of & { questionId: string }>;

/** Its business is closed for good. */
type CloseEnquiryForm = Command<'CloseEnquiryForm', Of & { erasureId: string }>;

export type EnquiryFormCommand =
  | OpenEnquiryForm
  | ChangeTrades
  | EnableQuestion
  | DisableQuestion
  | AddQuestion
  | RewordQuestion
  | RemoveQuestion
  | CloseEnquiryForm;
