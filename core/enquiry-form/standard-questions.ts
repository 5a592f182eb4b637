import type { ConsumerField } from '#core/values/job-form.ts';
import { tradeQuestions } from '#core/values/trade-questions.ts';
import type { PublicQuestion } from './public-form.ts';

/**
 * A question of the form as its owner sees it. `necessary` locks it on; `builtIn` means that the form has an
 * input of its own for it; `own` that the tradie thought of it. `seq` orders the questions of a trade.
 */
export type FormQuestion = PublicQuestion &
  Readonly<{ enabled: boolean; seq: number; builtIn: boolean; own: boolean }>;

type Asked = Pick<PublicQuestion, 'id' | 'title' | 'kind'> &
  Partial<Pick<FormQuestion, 'description' | 'options' | 'enabled' | 'necessary' | 'builtIn'>>;

/** What every form starts with, in the order in which a customer meets it. An id is in the log for ever: never reuse one. */
export const standardQuestions: readonly FormQuestion[] = [
  standard(null, 1, {
    id: 'title',
    title: 'What needs fixing?',
    kind: 'text',
    enabled: true,
    necessary: true,
    builtIn: true,
  }),
  standard('homeType', 2, {
    id: 'home-type',
    title: 'Home type',
    kind: 'choice',
    enabled: true,
    options: ['House', 'Unit', 'Townhouse', 'Shop or office'],
  }),
  standard('pets', 3, {
    id: 'pets',
    title: 'Any pets?',
    kind: 'choice',
    enabled: true,
    options: ['No', 'Yes'],
  }),
  standard('parking', 4, {
    id: 'parking',
    title: 'Where can we park?',
    kind: 'text',
    description: 'On the street, in the driveway, or none close by',
  }),
  standard('storeys', 5, { id: 'storeys', title: 'How many storeys?', kind: 'number' }),
  standard('bedrooms', 6, { id: 'bedrooms', title: 'How many bedrooms?', kind: 'number' }),
  standard('livingRooms', 7, { id: 'living-rooms', title: 'How many living rooms?', kind: 'number' }),
  standard('bathrooms', 8, { id: 'bathrooms', title: 'How many bathrooms?', kind: 'number' }),
  standard('allergies', 9, {
    id: 'allergies',
    title: 'Any allergies?',
    kind: 'text',
    description: 'So that we bring the right products',
  }),
  standard('serviceFrequency', 10, {
    id: 'service-frequency',
    title: 'How often do you need this?',
    kind: 'choice',
    options: ['One-off', 'Weekly', 'Fortnightly', 'Monthly', 'Not sure yet'],
  }),
  standard('budget', 11, {
    id: 'budget',
    title: 'What is your budget?',
    kind: 'text',
    description: 'A rough figure helps',
  }),
  standard('referral', 12, {
    id: 'referral',
    title: 'How did you find us?',
    kind: 'choice',
    options: ['Web search', 'Facebook', 'A friend or neighbour', 'I am a customer already', 'Somewhere else'],
  }),
];

function standard(field: ConsumerField | null, seq: number, asked: Asked): FormQuestion {
  const { description = null, options = [], enabled = false, necessary = false, builtIn = false } = asked;
  const ours = { field, seq, trade: null, own: false } as const;
  return { ...asked, ...ours, description, options, enabled, necessary, builtIn };
}

/** What the product can ask for a trade, none of it asked until it is ticked; nothing for a trade that it does not know. */
export function questionsOfTrade(trade: string): FormQuestion[] {
  const fixed = { description: null, field: null, necessary: false, builtIn: false, own: false } as const;
  return tradeQuestions
    .filter((question) => question.trade === trade)
    .map((question, index) => ({ ...question, ...fixed, enabled: false, seq: index + 1 }));
}
