import { afterEach, describe, expect, test } from 'vitest';
import { abrRegister, nzbnRegister } from '#api/providers/business-register/business-register.ts';
import { cachedRegister } from '#api/providers/business-register/configured.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { testApp } from '#tests/support/app/api.ts';
import { begin } from '#tests/support/scenarios/registrations.ts';
import { type ProviderServer, providerServers } from '#tests/support/servers/providers.ts';

const { serve, stopServing } = providerServers();
afterEach(stopServing);

const GUID = '0f2b8c94-6c1e-4d1a-9a37-2f60c8e5d7b1';
const abr = ({ url }: ProviderServer) => abrRegister({ guid: GUID, url });
const nzbn = ({ url }: ProviderServer) => nzbnRegister({ key: 'nz-key', url: `${url}/gateway/nzbn/v5` });
const callback = (json: object) => new Response(`callback(${JSON.stringify(json)})`);

const details = {
  ...{ Abn: '51824753556', AbnStatus: 'Active', AbnStatusEffectiveFrom: '2000-07-01', Acn: '' },
  ...{
    AddressDate: '2020-01-01',
    AddressPostcode: '3056',
    AddressState: 'VIC',
    BusinessName: ['Sam’s Drains'],
  },
  ...{ EntityName: "O'KAFOR-HALE, SAM JAMES", EntityTypeCode: 'IND', EntityTypeName: 'Sole Trader' },
  ...{ Gst: null, Message: '' },
};
const noDetails = {
  ...details,
  ...{ Abn: '', AbnStatus: '', EntityName: '', EntityTypeCode: '', AddressPostcode: '', BusinessName: [] },
  Message: 'No record found',
};

describe('the register of Australia', () => {
  test('answers a sole trader by number, with the name of the person and of the business', async () => {
    const provider = serve(() => callback(details));
    expect(await abr(provider).find('51824753556')).toEqual({
      ...{ bn: '51824753556', name: "O'KAFOR-HALE, SAM JAMES", tradingName: 'Sam’s Drains', country: 'au' },
      ...{
        registered: true,
        status: 'Active',
        postcode: '3056',
        firstName: 'Sam',
        lastName: "O'Kafor-Hale",
      },
    });
    expect(provider.requests[0]).toMatchObject({
      ...{ path: '/json/AbnDetails.aspx', query: { abn: '51824753556', guid: GUID, callback: 'callback' } },
    });
  });

  test('answers companies without a person, and those that are cancelled as that', async () => {
    const company = {
      ...details,
      EntityTypeCode: 'PRV',
      EntityName: 'DRAINS, PTY LTD',
      AbnStatus: 'Cancelled',
    };
    expect(await abr(serve(() => callback(company))).find('51824753556')).toMatchObject({
      ...{ registered: false, status: 'Cancelled', firstName: null, lastName: null },
    });
  });

  test('knows no business under an unknown number', async () => {
    expect(await abr(serve(() => callback(noDetails))).find('51824753556')).toBeNull();
  });

  test('that refuses to look is unavailable, and not empty', async () => {
    const Message = 'The GUID entered is not recognised as a Registered Party';
    const register = abr(serve(() => callback({ ...noDetails, Message, Names: [] })));
    await expect(register.find('51824753556')).rejects.toThrow(ProviderError);
    await expect(register.search('drains')).rejects.toThrow(ProviderError);
  });

  test('is searched by name, each number once, and only numbers that can be ones', async () => {
    const name = (Abn: string, Name: string, AbnStatus = '0000000001') => {
      return {
        Abn,
        Name,
        AbnStatus,
        IsCurrent: true,
        NameType: 'Entity Name',
        Postcode: '3056',
        Score: 90,
      };
    };
    const provider = serve(() =>
      callback({
        Message: '',
        Names: [
          name('51824753556', 'DRAINS'),
          name('51824753556', 'SAM'),
          name('1', 'X'),
          name('97004118273', 'Y', 'Cancelled'),
        ],
      }),
    );
    const found = await abr(provider).search('sam & sons');
    expect(found.map(({ bn, name, registered }) => [bn, name, registered])).toEqual([
      ['51824753556', 'DRAINS', true],
      ['97004118273', 'Y', false],
    ]);
    expect(provider.requests[0]).toMatchObject({
      path: '/json/MatchingNames.aspx',
      query: { name: 'sam & sons' },
    });
  });

  test('is asked for a number where one was typed, and for none that cannot be one', async () => {
    const provider = serve(() => callback(details));
    expect(await abr(provider).search('51 824 753 556')).toHaveLength(1);
    expect(await abr(provider).search('51 824 753 557')).toEqual([]);
    expect(provider.requests).toHaveLength(1);
  });
});

const entity = {
  ...{ nzbn: '9429000035170', entityName: 'DRAINS LIMITED', entityTypeCode: 'LTD', entityStatusCode: '50' },
  entityStatusDescription: 'Registered',
  addresses: { addressList: [{ addressType: 'REGISTERED', address1: '1 Way', postCode: '8011' }] },
  roles: [{ roleType: 'Director', rolePerson: { firstName: 'Aroha', lastName: 'Parata' } }],
  tradingNames: [{ name: 'Aroha’s Drains' }],
};

describe('the register of New Zealand', () => {
  test('answers an entity by number, with its only director and where it is', async () => {
    const provider = serve(() => Response.json(entity));
    expect(await nzbn(provider).find('9429000035170')).toEqual({
      ...{ bn: '9429000035170', name: 'DRAINS LIMITED', tradingName: 'Aroha’s Drains', country: 'nz' },
      ...{
        registered: true,
        status: 'Registered',
        postcode: '8011',
        firstName: 'Aroha',
        lastName: 'Parata',
      },
    });
    const [request] = provider.requests;
    expect(request?.path).toBe('/gateway/nzbn/v5/entities/9429000035170');
    expect(request?.headers.get('ocp-apim-subscription-key')).toBe('nz-key');
  });

  test('names no person of a company with many, and bears what is left out', async () => {
    const roles = [...entity.roles, { rolePerson: { firstName: 'Hemi', lastName: 'Walker' } }];
    expect(await nzbn(serve(() => Response.json({ ...entity, roles }))).find('9429000035170')).toMatchObject({
      ...{ firstName: null, lastName: null },
    });
    await stopServing();
    const bare = {
      nzbn: '9429000035170',
      entityName: 'X',
      entityStatusCode: 80,
      entityStatusDescription: 'Removed',
    };
    expect(await nzbn(serve(() => Response.json(bare))).find('9429000035170')).toMatchObject({
      ...{ registered: false, status: 'Removed', postcode: null, tradingName: null },
    });
  });

  test('is searched among those that are registered', async () => {
    const provider = serve(() => Response.json({ page: 0, pageSize: 10, totalItems: 1, items: [entity] }));
    expect((await nzbn(provider).search('drains')).map(({ name }) => name)).toEqual(['DRAINS LIMITED']);
    expect(provider.requests[0]?.query).toEqual({
      ...{ 'search-term': 'drains', 'entity-status': 'Registered', page: '0', 'page-size': '10' },
    });
  });

  test('knows no entity under an unknown number', async () => {
    expect(await nzbn(serve(() => new Response('{}', { status: 404 }))).find('9429000035170')).toBeNull();
  });
});

describe.each([
  ['Australia', abr, '51824753556'],
  ['New Zealand', nzbn, '9429000035170'],
] as const)('the register of %s is not believed', (_, open, bn) => {
  test.each([
    ['a redirect', () => Response.redirect('http://127.0.0.1:1/elsewhere')],
    ['an error', () => new Response('quota', { status: 429 })],
    ['a page', () => new Response('<html>')],
    ['another shape', () => Response.json({ Names: 1, items: 1, Abn: 7 })],
    ['more than a mebibyte', () => new Response(`"${'x'.repeat(1_100_000)}"`)],
  ])('when it answers %s', async (_what, answer) => {
    const register = open(serve(answer));
    await expect(register.search('drains')).rejects.toThrow(ProviderError);
    await expect(register.find(bn)).rejects.toThrow(ProviderError);
  });
});

test('what was found by number is remembered for a day, and nothing else', async () => {
  let now = 0;
  const provider = serve((_, url) =>
    callback(url.searchParams.get('abn') === '51824753556' ? details : noDetails),
  );
  const register = cachedRegister(abr(provider), () => now);
  for (let n = 0; n < 3; n += 1) expect(await register.find('51824753556')).not.toBeNull();
  expect(provider.requests).toHaveLength(1);
  for (let n = 0; n < 3; n += 1) expect(await register.find('97004118273')).toBeNull();
  expect(provider.requests).toHaveLength(4);
  now = 25 * 3_600_000;
  await register.find('51824753556');
  expect(provider.requests).toHaveLength(5);
});

test('a register that is unavailable is 503, and its key is in no log line', async () => {
  const provider = serve(() => new Response('no', { status: 500 }));
  const lines: string[] = [];
  const env = { ABR_GUID: GUID, ABR_URL: provider.url };
  const api = await testApp({ env, log: (line) => lines.push(line) });
  try {
    const client = await begin(api);
    for (const answer of [
      await client.get('/api/registration/bn?q=banksia&r=au'),
      await client.post('/api/registration/bn', { bn: '51824753556', r: 'au' }),
      await client.put('/api/registration/tradies', { region: 'au', entity: { bn: '51824753556' } }),
    ]) {
      expect(answer).toMatchObject({
        status: 503,
        body: { message: 'The business register is not available just now, please try again' },
      });
    }
    expect((await client.get('/api/registration/bn?q=kowhai&r=nz')).body.entities).toHaveLength(1);
    expect(lines.join('')).toContain('provider-failed');
    expect(lines.join('')).not.toMatch(new RegExp(`${GUID}|banksia`, 'i'));
  } finally {
    await api.close();
  }
});
