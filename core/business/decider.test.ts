import { describe, expect, test } from 'vitest';
import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import type { Plan } from '#core/values/plan.ts';
import { acme, acmeRegistered, starterRegistered } from '#tests/support/business-scenarios.ts';
import { deciderSpec } from '#tests/support/decider-spec.ts';
import type {
  BrandBusiness,
  BusinessCommand,
  ChangePlan,
  PublishBusinessContact,
  RegisterBusiness,
} from './commands.ts';
import { businessDecider } from './decider.ts';
import type { BusinessEvent } from './events.ts';

const given = deciderSpec(businessDecider);
const at = '2026-11-03T01:00:00.000Z';
const businessId = 'acme';

describe('registration', () => {
  const register = (data: Partial<RegisterBusiness['data']> = {}): RegisterBusiness => ({
    ...{ type: 'RegisterBusiness', at },
    data: { ...acme, ...data },
  });

  test('a business registers once', () => {
    given([])
      .when(register())
      .then([{ type: 'BusinessRegistered', data: { ...acme, registeredAt: at } }]);
    given([acmeRegistered]).when(register()).then([]);
  });

  test('another business under a taken id is refused', () => {
    given([acmeRegistered])
      .when(register({ accountId: 'account-2' }))
      .thenThrows(ConflictError);
    given([acmeRegistered])
      .when(register({ region: 'nz', bn: '9429000035170' }))
      .thenThrows(ConflictError);
  });

  test.each([
    ['bn', { bn: '51824753557' }],
    ['bn', { region: 'nz' }],
    ['name', { name: ' ' }],
    ['tradingName', { tradingName: '' }],
    ['timeZone', { timeZone: 'AEST' }],
    ['coverage', { coverage: { lat: -91, lng: 0, radius: 0 } }],
    ['coverage', { coverage: { lat: 0, lng: 181, radius: 0 } }],
    ['coverage', { coverage: { lat: 0, lng: 0, radius: 100_001 } }],
    ['coverage', { coverage: { lat: 0, lng: 0, radius: -1 } }],
    ['coverage', { coverage: { lat: Number.NaN, lng: 0, radius: 0 } }],
  ] as const)('a wrong %s is refused by name', (field, data) => {
    expect(refusedFields(register(data), [])).toEqual([field]);
  });
});

describe('the public face', () => {
  const face = { slug: 'acme-plumbing', theme: '#C21313', logo: 'logo-1' } as const;
  const brand = (data: Partial<BrandBusiness['data']> = {}): BrandBusiness => ({
    ...{ type: 'BrandBusiness', at },
    data: { businessId, ...face, ...data },
  });
  const branded: BusinessEvent = { type: 'BusinessBranded', data: { businessId, ...face, brandedAt: at } };

  test('a business takes an address, a colour and a logo', () => {
    given([acmeRegistered]).when(brand()).then([branded]);
    given([acmeRegistered, branded]).when(brand()).then([]);
  });

  test('keeps the parts that nobody names', () => {
    const theme = '#1D1B1B';
    const changed: BusinessEvent = { type: 'BusinessBranded', data: { ...branded.data, theme } as never };
    const onlyTheme: BrandBusiness = { type: 'BrandBusiness', at, data: { businessId, theme } };
    given([acmeRegistered, branded]).when(onlyTheme).then([changed]);
    given([acmeRegistered, branded]).when({ type: 'BrandBusiness', at, data: { businessId } }).then([]);
  });

  test('begins with an address: colour and logo have their defaults', () => {
    const first: BrandBusiness = { type: 'BrandBusiness', at, data: { businessId, slug: face.slug } };
    given([acmeRegistered])
      .when(first)
      .then([
        {
          type: 'BusinessBranded',
          data: { businessId, slug: face.slug, theme: '#6B8FE4', logo: null, brandedAt: at },
        },
      ]);
    const without: BrandBusiness = { type: 'BrandBusiness', at, data: { businessId, theme: '#C21313' } };
    expect(refusedFields(without, [acmeRegistered])).toEqual(['slug']);
  });

  test('a starter business has no logo', () => {
    given([starterRegistered]).when(brand()).thenThrows(ConflictError);
    given([starterRegistered])
      .when(brand({ logo: null }))
      .then([{ type: 'BusinessBranded', data: { businessId, ...face, logo: null, brandedAt: at } }]);
  });

  test('a reserved address and a colour of its own are refused by name', () => {
    expect(refusedFields(brand({ slug: 'admin' }), [acmeRegistered])).toEqual(['slug']);
    expect(refusedFields(brand({ theme: 'red' as never }), [acmeRegistered])).toEqual(['theme']);
  });
});

describe('the plan', () => {
  const logo = 'logo-1';
  const on = (plan: Plan): ChangePlan => ({ type: 'ChangePlan', at, data: { businessId, plan } });
  const changedTo = (plan: Plan): BusinessEvent => ({
    type: 'PlanChanged',
    data: { businessId, plan, changedAt: at },
  });
  const branded: BusinessEvent = {
    type: 'BusinessBranded',
    data: { businessId, slug: 'acme', theme: '#C21313', logo, brandedAt: at },
  };

  test('changes up and down, and to itself by no fact', () => {
    given([acmeRegistered])
      .when(on('pro'))
      .then([changedTo('pro')]);
    given([acmeRegistered]).when(on('plus')).then([]);
    given([acmeRegistered, changedTo('pro')])
      .when(on('pro'))
      .then([]);
    given([acmeRegistered])
      .when(on('starter'))
      .then([changedTo('starter')]);
  });

  test('takes the logo along when it goes to one that has none', () => {
    given([acmeRegistered, branded])
      .when(on('pro'))
      .then([changedTo('pro')]);
    given([acmeRegistered, branded])
      .when(on('starter'))
      .then([changedTo('starter'), { ...branded, data: { ...branded.data, logo: null } } as BusinessEvent]);
  });

  test('decides about a logo from then on', () => {
    const withLogo: BrandBusiness = { type: 'BrandBusiness', at, data: { businessId, logo } };
    given([starterRegistered, branded, changedTo('plus')])
      .when(withLogo)
      .then([]);
    given([acmeRegistered, changedTo('starter')])
      .when({ ...withLogo, data: { ...withLogo.data, slug: 'acme' } })
      .thenThrows(ConflictError);
  });
});

describe('the words about us', () => {
  const introduce = (intro: string): BusinessCommand => {
    return { type: 'IntroduceBusiness', at, data: { businessId, intro } };
  };

  test('may be 300 characters long, not more', () => {
    const intro = 'x'.repeat(300);
    const introduced: BusinessEvent = {
      type: 'BusinessIntroduced',
      data: { businessId, accountId: 'account-1', intro, introducedAt: at },
    };
    given([acmeRegistered]).when(introduce(intro)).then([introduced]);
    given([acmeRegistered, introduced]).when(introduce(intro)).then([]);
    given([acmeRegistered])
      .when(introduce(`${intro}x`))
      .thenThrows(InvalidInputError);
  });
});

describe('the published contact', () => {
  const publish = (data: Partial<PublishBusinessContact['data']>): PublishBusinessContact => ({
    ...{ type: 'PublishBusinessContact', at },
    data: { businessId, phone: '+61491570006', email: 'hello@acme.example', ...data },
  });

  test('is shown, hidden again, and nothing at first', () => {
    const { data } = publish({});
    const published: BusinessEvent = {
      type: 'BusinessContactPublished',
      data: { ...data, accountId: 'account-1', publishedAt: at },
    };
    given([acmeRegistered]).when(publish({})).then([published]);
    given([acmeRegistered, published]).when(publish({})).then([]);
    given([acmeRegistered])
      .when(publish({ phone: null, email: null }))
      .then([]);
  });

  test('is a real number and address, each refused by name', () => {
    expect(refusedFields(publish({ phone: '000' }), [acmeRegistered])).toEqual(['phone']);
    expect(refusedFields(publish({ email: 'hello' }), [acmeRegistered])).toEqual(['email']);
  });
});

test('another business is as unknown as one that never was', () => {
  const command: BusinessCommand = {
    type: 'IntroduceBusiness',
    at,
    data: { businessId: 'rival', intro: 'Ours now' },
  };
  given([acmeRegistered]).when(command).thenThrows(NotFoundError);
  given([]).when(command).thenThrows(NotFoundError);
});

function refusedFields(command: BusinessCommand, history: BusinessEvent[]): string[] {
  try {
    businessDecider.decide(command, history.reduce(businessDecider.evolve, null));
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return Object.keys(error.fields);
    throw error;
  }
}
