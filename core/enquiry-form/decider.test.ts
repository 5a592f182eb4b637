import { describe, expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import {
  ConflictError,
  IllegalTransitionError,
  InvalidInputError,
  NotFoundError,
} from '#core/kernel/errors.ts';
import { deciderSpec } from '#tests/support/scenarios/deciders.ts';
import { type EnquiryFormCommand, enquiryFormDecider, maxQuestions } from './decider.ts';
import type { EnquiryFormEvent } from './events.ts';
import { questionsOfTrade, standardQuestions } from './standard-questions.ts';
import { publicQuestions } from './state.ts';

const given = deciderSpec(enquiryFormDecider);
const at = '2026-11-03T01:00:00.000Z';
const businessId = 'acme';
const trades = ['plumbing', 'roofing'];
/** The place after what the product asks plumbers' customers. */
const next = questionsOfTrade('plumbing').length + 1;
const opened: EnquiryFormEvent<'EnquiryFormOpened'> = {
  type: 'EnquiryFormOpened',
  data: { businessId, trades, openedAt: at },
};

const reword = (question: string, questionId = 'q-1', newId = 'q-1b'): EnquiryFormCommand => {
  return { type: 'RewordQuestion', at, data: { businessId, questionId, newId, question } };
};
const reworded = (question: string, newId = 'q-1b'): EnquiryFormEvent<'QuestionReworded'> => {
  return {
    type: 'QuestionReworded',
    data: { businessId, questionId: 'q-1', newId, question, rewordedAt: at },
  };
};
const remove = (questionId = 'q-1'): EnquiryFormCommand => {
  return { type: 'RemoveQuestion', at, data: { businessId, questionId } };
};
const removed: EnquiryFormEvent<'QuestionRemoved'> = {
  type: 'QuestionRemoved',
  data: { businessId, questionId: 'q-1', removedAt: at },
};

const toggle = (type: 'EnableQuestion' | 'DisableQuestion', questionId: string): EnquiryFormCommand => {
  return { type, at, data: { businessId, questionId } };
};
const add = (question: string, trade: string | null = 'plumbing', questionId = 'q-1'): EnquiryFormCommand => {
  return { type: 'AddQuestion', at, data: { businessId, questionId, trade, question } };
};
const added = (
  question: string,
  seq: number,
  trade: string | null = 'plumbing',
  id = 'q-1',
): EnquiryFormEvent<'QuestionAdded'> => {
  return { type: 'QuestionAdded', data: { businessId, questionId: id, trade, question, seq, addedAt: at } };
};

describe('opening', () => {
  const open = (ids: string[], owner = businessId): EnquiryFormCommand => {
    return { type: 'OpenEnquiryForm', at, data: { businessId: owner, trades: ids } };
  };

  test('a form is opened once', () => {
    given([]).when(open(trades)).then([opened]);
    given([opened]).when(open(trades)).then([]);
    given([opened])
      .when(open(['painting']))
      .thenThrows(ConflictError);
    given([opened]).when(open(trades, 'rival')).thenThrows(ConflictError);
  });

  test('for three trades at most', () => {
    given([])
      .when(open(['a', 'b', 'c', 'd']))
      .thenThrows(InvalidInputError);
  });
});

describe('ticking questions', () => {
  test('a question is asked, and no longer asked', () => {
    const enabled: EnquiryFormEvent = {
      type: 'QuestionEnabled',
      data: { businessId, questionId: 'budget', enabledAt: at },
    };
    given([opened]).when(toggle('EnableQuestion', 'budget')).then([enabled]);
    given([opened, enabled]).when(toggle('EnableQuestion', 'budget')).then([]);
    given([opened, enabled])
      .when(toggle('DisableQuestion', 'budget'))
      .then([{ type: 'QuestionDisabled', data: { businessId, questionId: 'budget', disabledAt: at } }]);
    given([opened]).when(toggle('DisableQuestion', 'budget')).then([]);
  });

  test.each(standardQuestions.filter(({ necessary }) => necessary))(
    '$title cannot be turned off',
    ({ id }) => {
      given([opened]).when(toggle('DisableQuestion', id)).thenThrows(IllegalTransitionError);
    },
  );

  test('a question or form that is not there is not found, nor is that of another business', () => {
    given([opened]).when(toggle('EnableQuestion', 'nothing')).thenThrows(NotFoundError);
    given([]).when(toggle('EnableQuestion', 'budget')).thenThrows(NotFoundError);
    given([opened])
      .when({ type: 'EnableQuestion', at, data: { businessId: 'rival', questionId: 'budget' } })
      .thenThrows(NotFoundError);
  });
});

describe('questions of one’s own', () => {
  test('follow the questions of their trade', () => {
    given([opened])
      .when(add('Is water running now?'))
      .then([added('Is water running now?', next)]);
    given([opened, added('Is water running now?', next)])
      .when(add('Gas or electric?', 'plumbing', 'q-2'))
      .then([added('Gas or electric?', next + 1, 'plumbing', 'q-2')]);
    given([opened])
      .when(add('Is there a dog?', null))
      .then([added('Is there a dog?', standardQuestions.length + 1, null)]);
  });

  test('are one line of 100 characters at most', () => {
    given([opened])
      .when(add(`  ${'x'.repeat(100)}\n`))
      .then([added('x'.repeat(100), next)]);
    given([opened])
      .when(add('x'.repeat(101)))
      .thenThrows(InvalidInputError);
    given([opened]).when(add(' \n')).thenThrows(InvalidInputError);
  });

  test('belong to a trade of the business', () => {
    given([opened]).when(add('Which colour?', 'painting')).thenThrows(InvalidInputError);
  });

  test('are added once', () => {
    given([opened, added('Gas?', 1)])
      .when(add('Gas?'))
      .then([]);
    given([opened, added('Gas?', 1)])
      .when(add('Electric?'))
      .thenThrows(ConflictError);
    given([opened])
      .when(add('What is your budget?', null, 'budget'))
      .then([]);
  });

  test('are as many as a customer can answer in one request', () => {
    const ours = [...standardQuestions, ...trades.flatMap(questionsOfTrade)];
    const room = maxQuestions - ours.length;
    const full = Array.from({ length: room }, (_, n) =>
      added(`Question ${n}?`, n + 1, 'plumbing', `own-${n}`),
    );
    given([opened, ...full])
      .when(add('One more?'))
      .thenThrows(IllegalTransitionError);
    expect(
      given([opened, ...full.slice(1)])
        .when(add('The last one?'))
        .decide(),
    ).toHaveLength(1);
  });

  test('are given other words once, in their place and ticked as they were, and are another question then', () => {
    given([opened, added('Gas?', next)])
      .when(reword('  Gas or electric? '))
      .then([reworded('Gas or electric?')]);
    given([opened, added('Gas?', next)])
      .when(reword('Gas?'))
      .then([]);
    given([opened, added('Gas?', next), reworded('Gas or electric?')])
      .when(reword('Gas or electric?'))
      .then([]);
    given([opened, added('Gas?', next), reworded('Gas or electric?')])
      .when(reword('Which fuel?'))
      .thenThrows(ConflictError);
    for (const wrong of [' \n', 'x'.repeat(101)])
      given([opened, added('Gas?', next)])
        .when(reword(wrong))
        .thenThrows(InvalidInputError);
    const off: EnquiryFormEvent = {
      type: 'QuestionDisabled',
      data: { businessId, questionId: 'q-1', disabledAt: at },
    };
    const history = [opened, added('Gas?', next), off, reworded('Gas or electric?')];
    const [question] = fold(enquiryFormDecider, history)?.questions.filter(({ own }) => own) ?? [];
    expect(question).toMatchObject({ id: 'q-1b', title: 'Gas or electric?', seq: next, enabled: false });
    given(history)
      .when(reword('Fuel?', 'q-1', 'q-1c'))
      .thenThrows(NotFoundError);
  });

  test('are removed once, and a repeated post does not bring one back', () => {
    given([opened, added('Gas?', next)])
      .when(remove())
      .then([removed]);
    given([opened, added('Gas?', next), removed])
      .when(remove())
      .then([]);
    given([opened, added('Gas?', next), removed])
      .when(add('Gas?'))
      .thenThrows(ConflictError);
    given([opened, added('Gas?', next), removed])
      .when(reword('Gas or electric?'))
      .thenThrows(NotFoundError);
    expect(publicQuestions(fold(enquiryFormDecider, [opened, added('Gas?', next), removed]))).toEqual(
      publicQuestions(fold(enquiryFormDecider, [opened])),
    );
  });

  test('follow the last one, also where one between them was removed', () => {
    given([opened, added('Gas?', next), added('Dog?', next + 1, 'plumbing', 'q-2'), removed])
      .when(add('Key?', 'plumbing', 'q-3'))
      .then([added('Key?', next + 2, 'plumbing', 'q-3')]);
  });

  test('are changed and removed alone: what the product asks stays', () => {
    for (const command of [reword('How old is it?', 'budget'), remove('budget')])
      given([opened]).when(command).thenThrows(IllegalTransitionError);
    for (const command of [reword('Why?', 'nothing'), remove('nothing')])
      given([opened]).when(command).thenThrows(NotFoundError);
  });

  test('are asked after the general ones, trade by trade', () => {
    const state = fold(enquiryFormDecider, [
      opened,
      added('Slate or tin?', 1, 'roofing', 'q-1'),
      added('Gas or electric?', 1, 'plumbing', 'q-2'),
    ]);
    expect(publicQuestions(state).map(({ title }) => title)).toEqual([
      ...['Home type', 'Any pets?'],
      ...['Gas or electric?', 'Slate or tin?'],
    ]);
  });
});

test('a form closes once with its business, asks nothing then and takes no change', () => {
  const close: EnquiryFormCommand = {
    type: 'CloseEnquiryForm',
    at,
    data: { businessId, erasureId: 'erasure-1' },
  };
  const closed: EnquiryFormEvent = {
    type: 'EnquiryFormClosed',
    data: { businessId, erasureId: 'erasure-1', closedAt: at },
  };
  given([]).when(close).then([]);
  given([opened]).when(close).then([closed]);
  given([opened, closed]).when(close).then([]);
  given([opened])
    .when({ ...close, data: { ...close.data, businessId: 'rival' } })
    .thenThrows(NotFoundError);
  for (const command of [add('Gas?'), toggle('EnableQuestion', 'budget'), toggle('DisableQuestion', 'pets')])
    given([opened, closed]).when(command).thenThrows(ConflictError);
  expect(publicQuestions(fold(enquiryFormDecider, [opened, added('Is Ms Rowe in?', 1), closed]))).toEqual([]);
});
