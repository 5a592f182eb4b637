import { afterEach, describe, expect, test } from 'vitest';
import { addressfinderAddresses } from '#api/providers/addresses/addressfinder.ts';
import { googleAddresses } from '#api/providers/addresses/google.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { type ProviderServer, providerServers } from '#tests/support/servers/providers.ts';

const { serve, stopServing } = providerServers();
afterEach(stopServing);

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
    expect(provider.requests[0]?.headers.get('x-goog-fieldmask')).toBe('id,formattedAddress,location,types');
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
