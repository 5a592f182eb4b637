import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addressfinderAddresses } from '#api/providers/addresses/addressfinder.ts';
import { googleAddresses } from '#api/providers/addresses/google.ts';
import { abrRegister, nzbnRegister } from '#api/providers/business-register/business-register.ts';
import { cachedRegister } from '#api/providers/business-register/configured.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { reservedSlugs } from '#core/values/slug.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { begin } from '#tests/support/scenarios/registrations.ts';
import { type ProviderServer, providerServer } from '#tests/support/servers/http-providers.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app?.close());

describe('address providers', () => {
  let server: ProviderServer | undefined;
  afterEach(() => server?.stop());

  function serve(answer: (request: Request, url: URL) => Response | Promise<Response>): ProviderServer {
    server = providerServer(answer);
    return server;
  }

  const google = ({ url }: ProviderServer) => googleAddresses({ key: 'google-key', url });
  const addressfinder = ({ url }: ProviderServer) =>
    addressfinderAddresses({ key: 'af-key', secret: 'af-secret', url });

  describe('Google Places', () => {
    test('is asked for street addresses of both countries near Melbourne, with the session', async () => {
      const place = {
        placeId: 'ChIJ1',
        text: { text: '12 Smith Street, Fitzroy VIC, Australia', matches: [] },
      };
      const provider = serve(() => Response.json({ suggestions: [{ placePrediction: place }] }));
      expect(await google(provider).suggest('12 smith st fitz', 'session-1')).toEqual([
        { id: 'ChIJ1', address: '12 Smith Street, Fitzroy VIC, Australia' },
      ]);
      const [request] = provider.requests;
      expect(request).toMatchObject({ method: 'POST', path: '/v1/places:autocomplete' });
      expect(request?.headers.get('x-goog-api-key')).toBe('google-key');
      expect(request?.body).toMatchObject({
        ...{ input: '12 smith st fitz', sessionToken: 'session-1', includedRegionCodes: ['au', 'nz'] },
        ...{ includedPrimaryTypes: ['street_address', 'premise', 'subpremise', 'route'] },
        locationBias: { circle: { center: { latitude: -37.81, longitude: 144.96 } } },
      });
    });

    test('has nothing to suggest without suggestions', async () => {
      expect(await google(serve(() => Response.json({}))).suggest('12 nowhere', null)).toEqual([]);
    });

    test('answers a place by its id, only the fields that are needed, and ends the session', async () => {
      const provider = serve(() =>
        Response.json({
          ...{ id: 'ChIJ1', formattedAddress: '12 Smith St, Fitzroy VIC 3065, Australia' },
          ...{ location: { latitude: -37.8, longitude: 144.98 }, types: ['premise'] },
        }),
      );
      expect(await google(provider).find('ChIJ1', 'session-1')).toEqual({
        ...{ placeId: 'ChIJ1', address: '12 Smith St, Fitzroy VIC 3065, Australia' },
        ...{ formatted_address: '12 Smith St, Fitzroy VIC 3065, Australia', lat: -37.8, lng: 144.98 },
        precision: 'address',
      });
      expect(provider.requests[0]).toMatchObject({
        path: '/v1/places/ChIJ1',
        query: { sessionToken: 'session-1' },
      });
      expect(provider.requests[0]?.headers.get('x-goog-fieldmask')).toBe(
        'id,formattedAddress,location,types',
      );
    });

    test('an id cannot lead to another path', async () => {
      const provider = serve(() => new Response('{}', { status: 404 }));
      expect(await google(provider).find('../../secrets?x=1', null)).toBeNull();
      expect(provider.requests[0]?.path).toBe('/v1/places/..%2F..%2Fsecrets%3Fx%3D1');
    });
  });

  describe('Addressfinder', () => {
    const answer = (_: Request, { pathname, searchParams }: URL) => {
      if (pathname.endsWith('/au/address/autocomplete')) {
        return Response.json({
          completions: [{ full_address: '12 Smith Street, FITZROY VIC 3065', id: 'a-1' }],
        });
      }
      if (pathname.endsWith('/nz/address/autocomplete')) {
        return Response.json({ completions: [{ a: '12 Smith Street, Wellington 6011', pxid: '2-1' }] });
      }
      if (searchParams.get('id') === 'a-1') {
        return Response.json({
          full_address: '12 Smith Street, FITZROY VIC 3065',
          latitude: '-37.8',
          longitude: '144.98',
        });
      }
      if (searchParams.get('pxid') === '2-1')
        return Response.json({ a: '12 Smith Street, Wellington 6011', x: 174.7, y: -41.3 });
      return new Response('{}', { status: 404 });
    };

    test('is asked for both countries, Australia first, its secret in a header', async () => {
      const provider = serve(answer);
      expect(await addressfinder(provider).suggest('12 smith st', null)).toEqual([
        { id: 'au:a-1', address: '12 Smith Street, FITZROY VIC 3065' },
        { id: 'nz:2-1', address: '12 Smith Street, Wellington 6011' },
      ]);
      for (const { query, headers } of provider.requests) {
        expect(query).toMatchObject({ key: 'af-key', q: '12 smith st', format: 'json' });
        expect(headers.get('authorization')).toBe('af-secret');
      }
    });

    test('answers an address of either country by its id', async () => {
      const provider = addressfinder(serve(answer));
      expect(await provider.find('au:a-1', null)).toMatchObject({
        ...{
          placeId: 'au:a-1',
          formatted_address: '12 Smith Street, FITZROY VIC 3065, Australia',
          lat: -37.8,
          lng: 144.98,
        },
      });
      expect(await provider.find('nz:2-1', null)).toMatchObject({
        ...{ address: '12 Smith Street, Wellington 6011, New Zealand', lat: -41.3, lng: 174.7 },
      });
      expect(await provider.find('nz:unknown', null)).toBeNull();
      expect(await provider.find('x', null)).toBeNull();
    });

    test('a place without a point is still an address', async () => {
      const provider = addressfinder(
        serve(() => Response.json({ full_address: '12 Smith Street', latitude: '' })),
      );
      expect(await provider.find('au:a-1', null)).toMatchObject({ lat: null, lng: null });
    });
  });

  describe.each([
    ['Google Places', google],
    ['Addressfinder', addressfinder],
  ] as const)('%s is not believed', (_, open) => {
    test.each([
      ['a redirect', () => Response.redirect('http://127.0.0.1:1/elsewhere')],
      ['an error', () => new Response('quota', { status: 429 })],
      ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
      ['another shape', () => Response.json({ suggestions: 1, completions: [{ id: 1 }] })],
      ['more than a mebibyte', () => new Response(`"${'x'.repeat(1_100_000)}"`)],
    ])('when it answers %s', async (_what, answer) => {
      await expect(open(serve(answer)).suggest('12 smith st', null)).rejects.toThrow(ProviderError);
    });

    test('when it does not answer in time', async () => {
      const never = serve(() => new Promise<Response>(() => {}));
      await expect(open(never).suggest('12 smith st', null)).rejects.toThrow('took too long');
    }, 15_000);

    test('when it is unavailable', async () => {
      const gone = serve(() => new Response());
      await gone.stop();
      await expect(open(gone).suggest('12 smith st', null)).rejects.toThrow('cannot be reached');
    });
  });
});

describe('address check', () => {
  const UNAVAILABLE = 'Sorry, that URL is not available';

  let api: TestApp;
  let acme: SignedIn;
  let rival: SignedIn;
  beforeAll(async () => {
    api = app;
    [acme, rival] = await Promise.all([api.signIn(), api.signIn()]);
  });

  const move = (slug: string) => acme.put('/api/settings/branding', { slug });
  const isAvailable = async (q: string) =>
    (await acme.get(`/api/settings/branding/slug?q=${encodeURIComponent(q)}`)).body.available;

  test('the check of an address says yes to one that is free or one’s own, in any spelling', async () => {
    const answer = await acme.get('/api/settings/branding/slug?q=%20Free%20Of%20Others');
    expect(answer.body).toEqual({ status: 'ok', available: true, slug: 'freeofothers' });
    expect(await isAvailable(acme.slug)).toBe(true);
    expect(await isAvailable(acme.slug.toUpperCase())).toBe(true);
  });

  test('says no to one that is another’s', async () => {
    expect((await acme.get(`/api/settings/branding/slug?q=${rival.slug}`)).body).toEqual({
      ...{ status: 'ok', available: false, slug: rival.slug },
      ...{ title: 'This domain is already taken.', message: 'Try a different URL' },
    });
    expect(await isAvailable(` ${rival.slug.toUpperCase()} `)).toBe(false);
  });

  test.each([
    '',
    'ab',
    'a'.repeat(21),
    'acme.plumbing',
    'acme/x',
    'ａｃｍｅ',
    'аcme',
    'acme\u200b',
    "x'--",
    '%',
  ])('says no to %j', async (q) => {
    const { body } = await acme.get(`/api/settings/branding/slug?q=${encodeURIComponent(q)}`);
    expect(body).toMatchObject({ available: false, message: UNAVAILABLE });
    expect(body).not.toHaveProperty('title');
    const refused = await move(q);
    expect(refused).toMatchObject({ status: 422, body: { fields: { slug: UNAVAILABLE } } });
  });

  test('says no to every word of the product itself, in every disguise', async () => {
    const disguises = (word: string) => [word, word.toUpperCase(), `${word}-`, `${word}_`, `-${word}`];
    for (const word of reservedSlugs) {
      for (const q of disguises(word)) expect(await isAvailable(q), q).toBe(false);
    }
    expect(await move('Admin-_')).toMatchObject({ status: 422, body: { fields: { slug: UNAVAILABLE } } });
  });

  test('is only for who is signed in', async () => {
    expect((await api.get('/api/settings/branding/slug?q=acme')).status).toBe(403);
  });
});

describe('addresses', () => {
  let acme: SignedIn;
  beforeAll(async () => {
    acme = await app.signIn();
  });

  test.each(['/api/addresses', '/api/registration/address'])(
    '%s suggests addresses and answers the chosen one',
    async (path) => {
      const { status, body } = await acme.get(`${path}?q=12 smith st fitz&token=abc-1`);
      expect(status).toBe(200);
      const [first] = body.addresses;
      expect(first.address).toBe('12 Smith Street, Fitzroy VIC, Australia');
      const chosen = await acme.get(`${path}/${encodeURIComponent(first.id)}?token=abc-1`);
      expect(chosen.body.address).toMatchObject({
        placeId: first.id,
        formatted_address: first.address,
        precision: 'locality',
      });
      expect((await acme.get(`${path}?q=12`)).body).toEqual({ status: 'ok', addresses: [] });
      expect((await acme.get(`${path}/unknown`)).status).toBe(404);
      expect((await acme.get(`${path}?q=${'x'.repeat(201)}`)).status).toBe(422);
      expect((await acme.get(`${path}?q=12 smith&token=a b`)).status).toBe(422);
    },
  );

  test('the public form suggests the same to any client, for a form that there is', async () => {
    const path = `/api/public-forms/${acme.slug}/addresses`;
    const { body } = await app.get(`${path}?q=12 smith st fitz&token=abc-1`);
    const [first] = body.addresses;
    expect(first.address).toBe('12 Smith Street, Fitzroy VIC, Australia');
    const chosen = await app.get(`${path}/${encodeURIComponent(first.id)}?token=abc-1`);
    expect(chosen.body.address).toMatchObject({ placeId: first.id, formatted_address: first.address });
    expect((await app.get('/api/public-forms/nobody/addresses?q=12 smith st')).status).toBe(404);
  });

  test('the form of the signed-in needs a session, the one of the wizard a registration', async () => {
    expect((await app.get('/api/addresses?q=12 smith st')).status).toBe(403);
    const path = '/api/registration/address?q=12 smith st';
    expect((await app.get(path)).status).toBe(401);
    expect((await (await begin(app)).get(path)).status).toBe(200);
  });

  test('a provider that fails is an outage of suggestions, and its key is not logged', async () => {
    const provider: ProviderServer = providerServer(() => new Response('no', { status: 500 }));
    const lines: string[] = [];
    const env = { ADDRESSES: 'google', GOOGLE_PLACES_KEY: 'very-secret-key', ADDRESSES_URL: provider.url };
    const broken = await testApp({ env, log: (line) => lines.push(line) });
    try {
      const registering = await begin(broken);
      const answer = await registering.get('/api/registration/address?q=12 smith st');
      expect(answer).toMatchObject({
        ...{ status: 503, body: { message: 'Address suggestions are not available just now' } },
      });
      expect(answer.headers.get('retry-after')).toBe('30');
      expect(lines.join('')).toContain('provider-failed');
      expect(lines.join('')).not.toMatch(/very-secret-key|smith/);
    } finally {
      await broken.close();
      await provider.stop();
    }
  });

  test('a client that asks without end is answered to wait', async () => {
    const limited = await testApp({ env: { RATE_LIMITS: 'on' } });
    try {
      const registering = await begin(limited);
      const ask = () => registering.get('/api/registration/address?q=12');
      const answers = [];
      for (let n = 0; n < 301; n += 1) answers.push((await ask()).status);
      expect(answers.filter((status) => status === 200)).toHaveLength(300);
      expect(answers.at(-1)).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('business registers', () => {
  let server: ProviderServer | undefined;
  afterEach(() => server?.stop());

  function serve(answer: (request: Request, url: URL) => Response | Promise<Response>): ProviderServer {
    server = providerServer(answer);
    return server;
  }

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
      expect(
        await nzbn(serve(() => Response.json({ ...entity, roles }))).find('9429000035170'),
      ).toMatchObject({
        ...{ firstName: null, lastName: null },
      });
      await server?.stop();
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
});
