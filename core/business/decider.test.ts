import { describe, expect, test } from 'vitest';
import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import type { Plan } from '#core/values/product.ts';
import { acme, acmeRegistered, deciderSpec, starterRegistered } from '#tests/support/scenarios/deciders.ts';
import type { BusinessCommand, ChangePlan, PublishBusinessContact, RegisterBusiness } from './commands.ts';
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

describe('the public address', () => {
  const moveTo = (slug: string): BusinessCommand => ({
    ...{ type: 'ChangePublicAddress', at },
    data: { businessId, slug },
  });
  const moved: BusinessEvent = {
    type: 'PublicAddressChanged',
    data: { businessId, slug: 'acme-plumbing', changedAt: at },
  };

  test('is taken, and changes to itself by no event', () => {
    given([acmeRegistered]).when(moveTo('acme-plumbing')).then([moved]);
    given([acmeRegistered, moved]).when(moveTo('acme-plumbing')).then([]);
  });

  test('that is reserved is refused by name', () => {
    expect(refusedFields(moveTo('admin'), [acmeRegistered])).toEqual(['slug']);
  });
});

describe('the colour', () => {
  const wear = (theme: string): BusinessCommand => ({
    ...{ type: 'ChangeTheme', at },
    data: { businessId, theme: theme as never },
  });
  const changed: BusinessEvent = {
    type: 'ThemeChanged',
    data: { businessId, theme: '#C21313', changedAt: at },
  };

  test('changes, and to itself by no event', () => {
    given([acmeRegistered]).when(wear('#C21313')).then([changed]);
    given([acmeRegistered, changed]).when(wear('#C21313')).then([]);
  });

  test('is the default at first', () => given([acmeRegistered]).when(wear('#6B8FE4')).then([]));

  test('that is none of the eight is refused by name', () => {
    expect(refusedFields(wear('red'), [acmeRegistered])).toEqual(['theme']);
  });
});

describe('the logo', () => {
  const show = (logo: string | null): BusinessCommand => ({
    ...{ type: 'ChangeLogo', at },
    data: { businessId, logo },
  });
  const shown: BusinessEvent = { type: 'LogoChanged', data: { businessId, logo: 'logo-1', changedAt: at } };
  const removed: BusinessEvent = {
    type: 'LogoRemoved',
    data: { businessId, reason: 'owner', removedAt: at },
  };

  test('is shown, changed, and taken away by its owner', () => {
    given([acmeRegistered]).when(show('logo-1')).then([shown]);
    given([acmeRegistered, shown]).when(show('logo-1')).then([]);
    given([acmeRegistered, shown]).when(show(null)).then([removed]);
    given([acmeRegistered, shown, removed]).when(show(null)).then([]);
    given([acmeRegistered]).when(show(null)).then([]);
  });

  test('is not for a starter business', () => {
    given([starterRegistered]).when(show('logo-1')).thenThrows(ConflictError);
    given([starterRegistered]).when(show(null)).then([]);
  });
});

test('each of address, colour and logo leaves the others as they are', () => {
  const history: BusinessEvent[] = [
    acmeRegistered,
    { type: 'PublicAddressChanged', data: { businessId, slug: 'acme-plumbing', changedAt: at } },
    { type: 'LogoChanged', data: { businessId, logo: 'logo-1', changedAt: at } },
    { type: 'ThemeChanged', data: { businessId, theme: '#1D1B1B', changedAt: at } },
  ];
  const after = (...events: BusinessEvent[]) => [...history, ...events].reduce(businessDecider.evolve, null);
  const before = { slug: 'acme-plumbing', theme: '#1D1B1B', logo: 'logo-1' };
  expect(after()).toMatchObject(before);
  expect(
    after({ type: 'PublicAddressChanged', data: { businessId, slug: 'acme', changedAt: at } }),
  ).toMatchObject({ ...before, slug: 'acme' });
  expect(after({ type: 'LogoRemoved', data: { businessId, reason: 'owner', removedAt: at } })).toMatchObject({
    ...before,
    logo: null,
  });
});

describe('the plan', () => {
  const on = (plan: Plan): ChangePlan => ({ type: 'ChangePlan', at, data: { businessId, plan } });
  const changedTo = (plan: Plan): BusinessEvent => ({
    type: 'PlanChanged',
    data: { businessId, plan, changedAt: at },
  });
  const shown: BusinessEvent = { type: 'LogoChanged', data: { businessId, logo: 'logo-1', changedAt: at } };
  const removed: BusinessEvent = {
    type: 'LogoRemoved',
    data: { businessId, reason: 'plan', removedAt: at },
  };

  test('changes up and down, and to itself by no event', () => {
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
    given([acmeRegistered, shown])
      .when(on('pro'))
      .then([changedTo('pro')]);
    given([acmeRegistered, shown])
      .when(on('starter'))
      .then([changedTo('starter'), removed]);
  });

  test('decides about a logo from then on', () => {
    const withLogo: BusinessCommand = { type: 'ChangeLogo', at, data: { businessId, logo: 'logo-1' } };
    given([starterRegistered, changedTo('plus')])
      .when(withLogo)
      .then([shown]);
    given([acmeRegistered, changedTo('starter')])
      .when(withLogo)
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
      .when(introduce(` ${intro}\n`))
      .then([introduced]);
    given([acmeRegistered]).when(introduce(' \n ')).then([]);
    given([acmeRegistered])
      .when(introduce(`${intro}x`))
      .thenThrows(InvalidInputError);
  });
});

describe('a download of everything', () => {
  const data = { businessId, accountId: 'account-1', position: '812' };
  const exported: BusinessEvent = { type: 'BusinessExported', data: { ...data, exportedAt: at } };
  const download: BusinessCommand = { type: 'ExportBusiness', at, data };

  test('is on record each time', () => {
    given([acmeRegistered]).when(download).then([exported]);
    given([acmeRegistered, exported]).when(download).then([exported]);
  });

  test('is of a business that came to Ute', () => {
    given([]).when(download).thenThrows(NotFoundError);
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
