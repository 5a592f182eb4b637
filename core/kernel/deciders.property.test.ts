import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountDecider } from '#core/account/decider.ts';
import { businessDecider } from '#core/business/decider.ts';
import { demoDecider } from '#core/demo/decider.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { erasureDecider } from '#core/erasure/decider.ts';
import { jobDecider } from '#core/job/job.ts';
import { registrationDecider } from '#core/registration/decider.ts';
import { acme, attempt, jobByHand, requestOfJob, workOrder } from '#tests/support/scenarios/deciders.ts';
import { anyRegistrationCommand } from '#tests/support/scenarios/registration-events.ts';
import { batchDecider, type Command, type Decider, fold } from './decider.ts';
import type { Event } from './event.ts';

const at = fc.constantFrom('2026-11-03T01:00:00.000Z', '2027-01-01T00:00:00.000Z');
const businessId = fc.constantFrom('acme', 'rival');
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '__proto__', '\0', '\uD800', 'x'.repeat(400)),
);
const of = <T extends object>(type: string, data: fc.Arbitrary<T>) =>
  fc.record({ type: fc.constant(type), at, data });

const jobIds = { jobId: fc.constant('job-1'), businessId };
const change = { ...jobIds, ifUnchangedSince: fc.option(fc.nat({ max: 8 }), { nil: undefined }) };
const revision = fc.nat({ max: 8 });
const erasureId = fc.constantFrom('erasure-1', 'erasure-2');
const job = fc.oneof(
  of(
    'RequestJob',
    fc.record({ businessId, title: nasty }).map((data) => ({ ...requestOfJob, ...data })),
  ),
  of(
    'ReceiveWorkOrder',
    fc.record({ businessId }).map((data) => ({ ...workOrder, ...data })),
  ),
  of(
    'AddJob',
    fc.record({ businessId, notes: nasty }).map((data) => ({ ...jobByHand, ...data })),
  ),
  of('AcceptJob', fc.record(change)),
  of('RejectJob', fc.record(change)),
  of('ScheduleJob', fc.record({ ...change, scheduledAt: fc.option(nasty) })),
  of(
    'ChangeJobStatus',
    fc.record({ ...change, status: fc.oneof(fc.constantFrom('Paid', 'Unsuccessful'), nasty) }),
  ),
  of('ChangeJobNotes', fc.record({ ...change, notes: nasty })),
  of('UndoJobChange', fc.record({ ...jobIds, first: revision, last: revision })),
  of('PlanCustomerErasure', fc.record({ ...jobIds, erasureId, dueAt: at })),
  of('CancelCustomerErasure', fc.record({ ...jobIds, erasureId })),
  of('EraseCustomer', fc.record({ ...jobIds, erasureId })),
);

const accountId = fc.constantFrom('account-1', 'account-2');
const email = fc.oneof(fc.constant('dave@acme.example'), nasty);
const phone = fc.oneof(fc.constant('+61491570006'), nasty);
const name = fc.oneof(fc.constant('Dave'), nasty);
const account = fc.oneof(
  of('OpenAccount', fc.record({ accountId, businessId, email, phone, firstName: name, lastName: name })),
  of('FinishOnboarding', fc.record({ accountId })),
  of('RenameAccount', fc.record({ accountId, firstName: name, lastName: name })),
  of('ChangeAccountEmail', fc.record({ accountId, email })),
  of('ChangeAccountPhone', fc.record({ accountId, phone })),
  of('EraseAccount', fc.record({ accountId, erasureId })),
);

const logo = fc.option(fc.constant('logo-1'));
const slug = fc.oneof(fc.constant('acme-plumbing'), nasty);
const theme = fc.oneof(fc.constant('#C21313'), nasty);
/** Any number but -0, which JSON does not know. */
const anyNumber = fc.double().map((value) => value + 0);
const registration = fc.record({
  ...{ businessId, plan: fc.constantFrom('starter', 'plus'), bn: fc.oneof(fc.constant(acme.bn), nasty) },
  timeZone: fc.oneof(fc.constant(acme.timeZone), nasty),
  coverage: fc.record({ lat: anyNumber, lng: anyNumber, radius: anyNumber }, { noNullPrototype: true }),
});
const business = fc.oneof(
  of(
    'RegisterBusiness',
    registration.map((data) => ({ ...acme, ...data })),
  ),
  of('RegisterBusiness', fc.constant(acme)),
  of('ChangePublicAddress', fc.record({ businessId, slug })),
  of('ChangeTheme', fc.record({ businessId, theme })),
  of('ChangeLogo', fc.record({ businessId, logo })),
  of(
    'ChangeBusinessDetails',
    fc.record({ businessId, bn: fc.oneof(fc.constant(acme.bn), nasty), name: nasty, tradingName: nasty }),
  ),
  of(
    'ChangeServiceArea',
    registration.map(({ businessId: of, coverage }) => ({ businessId: of, coverage })),
  ),
  of('ChangeTagline', fc.record({ businessId, tagline: nasty })),
  of('ChangeTimeZone', fc.record({ businessId, timeZone: fc.oneof(fc.constant('Australia/Perth'), nasty) })),
  of('ChangePlan', fc.record({ businessId, plan: fc.constantFrom('starter', 'plus', 'pro') })),
  of('IntroduceBusiness', fc.record({ businessId, intro: nasty })),
  of('PublishBusinessContact', fc.record({ businessId, phone: fc.option(phone), email: fc.option(email) })),
  of('PlanBusinessClosure', fc.record({ businessId, erasureId, dueAt: at })),
  of('CancelBusinessClosure', fc.record({ businessId, erasureId })),
  of('CloseBusiness', fc.record({ businessId, erasureId })),
);

const questionId = fc.oneof(fc.constantFrom('title', 'pets', 'budget', 'q-1', 'q-2'), nasty);
const enquiryForm = fc.oneof(
  of(
    'OpenEnquiryForm',
    fc.record({ businessId, trades: fc.array(fc.constantFrom('plumbing', 'roofing', '')) }),
  ),
  of(
    'ChangeTrades',
    fc.record({ businessId, trades: fc.array(fc.constantFrom('plumbing', 'roofing', 'tiling', '')) }),
  ),
  of('EnableQuestion', fc.record({ businessId, questionId })),
  of('DisableQuestion', fc.record({ businessId, questionId })),
  of(
    'AddQuestion',
    fc.record({ businessId, questionId, trade: fc.option(fc.constant('plumbing')), question: name }),
  ),
  of('RewordQuestion', fc.record({ businessId, questionId, newId: questionId, question: name })),
  of('RemoveQuestion', fc.record({ businessId, questionId })),
  of('CloseEnquiryForm', fc.record({ businessId, erasureId })),
);

const demo = of(
  'RequestDemo',
  fc.record({ demoId: fc.constant('d1'), name, businessName: nasty, phone, email, reachTime: nasty }),
);

const erasure = fc.oneof(
  of(
    'RequestErasure',
    fc.record({
      erasureId: fc.constant('erasure-1'),
      scope: fc.constantFrom('jobs', 'business'),
      basis: fc.constantFrom('operator', 'retention'),
      businessId: fc.option(businessId),
      ids: fc.array(fc.constantFrom('job-1', 'job-2'), { maxLength: 2 }),
      dueAt: at,
    }),
  ),
  ...['CancelErasure', 'RefuseErasure', 'BeginErasure'].map((type) =>
    of(type, fc.record({ erasureId, reason: fc.constant('held') })),
  ),
  of(
    'CompleteErasure',
    fc.record({
      erasureId,
      counts: fc.record({ keys: fc.nat(), files: fc.nat() }, { noNullPrototype: true }),
    }),
  ),
);

type AnyDecider = Decider<unknown, Command, Event>;
const rooms = [
  {
    name: 'registration',
    decider: registrationDecider as unknown as AnyDecider,
    command: anyRegistrationCommand as fc.Arbitrary<unknown>,
  },
  { name: 'job', decider: jobDecider as unknown as AnyDecider, command: job },
  { name: 'account', decider: accountDecider as unknown as AnyDecider, command: account },
  { name: 'business', decider: businessDecider as unknown as AnyDecider, command: business },
  { name: 'demo', decider: demoDecider as unknown as AnyDecider, command: demo },
  { name: 'erasure', decider: erasureDecider as unknown as AnyDecider, command: erasure },
  { name: 'enquiry form', decider: enquiryFormDecider as unknown as AnyDecider, command: enquiryForm },
];

describe.each(rooms)('the $name decider', ({ decider, command }) => {
  const commands = fc.array(command as fc.Arbitrary<Command>, { maxLength: 20 });
  const decideAll = (all: readonly Command[]) => {
    const events: Event[] = [];
    for (const one of all) events.push(...(attempt(decider, one, fold(decider, events)) ?? []));
    return events;
  };

  test('decides any command, or refuses it for a reason of the business', () => {
    fc.assert(fc.property(commands, (all) => void decideAll(all)));
  });

  test('has nothing to do when a command that was obeyed comes again', () => {
    fc.assert(
      fc.property(commands, command as fc.Arbitrary<Command>, (all, last) => {
        const history = decideAll(all);
        const events = attempt(decider, last, fold(decider, history));
        if (events) expect(attempt(decider, last, fold(decider, [...history, ...events]))).toEqual([]);
      }),
    );
  });

  test('decides a batch as its commands one after the other, or refuses all of it', () => {
    fc.assert(
      fc.property(commands, (all) => {
        const events: Event[] = [];
        let isRefused = false;
        for (const one of all) {
          const more = attempt(decider, one, fold(decider, events));
          isRefused ||= more === null;
          events.push(...(more ?? []));
        }
        const batch = { type: 'Batch', at: '2026-11-03T01:00:00.000Z', data: { commands: all } } as const;
        expect(attempt(batchDecider(decider), batch, decider.initialState)).toEqual(
          isRefused ? null : events,
        );
      }),
    );
  });

  test('folds its events in any order, with gaps and repeats, without an error', () => {
    const shuffled = commands.chain((all) =>
      fc.array(fc.constantFrom(...decideAll(all), null), { maxLength: 30 }),
    );
    fc.assert(
      fc.property(
        shuffled,
        (events) =>
          void fold(
            decider,
            events.filter((event) => event !== null),
          ),
      ),
    );
  });

  test('writes plain JSON: nothing is lost on the way to the log', () => {
    fc.assert(
      fc.property(commands, (all) => {
        const events = decideAll(all);
        expect(JSON.parse(JSON.stringify(events))).toStrictEqual(events);
      }),
    );
  });
});
