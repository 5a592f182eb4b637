import { aTicket } from '../job-requests.ts';
import { aRegistrant, codeSentTo } from '../registrations.ts';
import { storedDraft } from '../stored-drafts.ts';
import type { Call, Recipe } from './recipe.ts';
import type { World } from './two-businesses.ts';

/** An operation of one registration, with the secret of its own. */
const ofDraft = (callOf: (world: World) => Call = () => ({}), phoneVerified = true) =>
  ({
    access: 'other',
    call: async (world: World) => {
      const { client } = await storedDraft(world.app, {}, { phoneVerified });
      return { ...callOf(world), headers: { 'x-rid': client.rid } };
    },
  }) as const satisfies Recipe;

const { bn } = aRegistrant();

/** What the address book of a registration answers first for a street. */
async function anAddress({ app }: World, headers: Record<string, string>): Promise<string> {
  const { addresses } = (await app.get('/api/registration/address?q=12%20smith%20st%20fitzroy', headers))
    .body;
  return addresses[0].id;
}

export const registrationRecipes = {
  'POST /api/registration/tradies': {
    access: 'open',
    call: async ({ app }) => ({
      headers: { 'x-bot-check': await aTicket(app, 'registration') },
      json: { plan: 'plus' },
    }),
  },
  'GET /api/registration/tradies': ofDraft(),
  'PUT /api/registration/tradies': ofDraft(() => ({
    json: { step: 3, region: 'au', user: { firstName: 'Robin', lastName: 'Fenwickton' }, entity: { bn } },
  })),
  'POST /api/registration': {
    ...ofDraft(() => ({ json: { verify: { subscribe: true, terms: true } } })),
    savesOnConflict: true,
  },
  'GET /api/registration/trades': { access: 'open', call: () => ({}) },
  'GET /api/registration/bn': ofDraft(() => ({ query: { q: 'plumbing', r: 'au' } })),
  'POST /api/registration/bn': ofDraft(() => ({ json: { bn, r: 'au' } })),
  'GET /api/registration/postcode': ofDraft(() => ({ query: { postcode: '3057', region: 'au' } })),
  'GET /api/registration/address': ofDraft(() => ({ query: { q: '12 smith st fitz' } })),
  'GET /api/registration/address/:id': {
    access: 'other',
    names: 'public',
    call: async (world) => {
      const { client } = await storedDraft(world.app);
      const headers = { 'x-rid': client.rid };
      return { headers, params: { id: encodeURIComponent(await anAddress(world, headers)) } };
    },
  },
  'POST /api/registration/email/verify': ofDraft(() => ({ json: { email: aRegistrant().email } }), false),
  'POST /api/registration/phone/update': ofDraft(() => ({ json: { phone: aRegistrant().phone } }), false),
  'POST /api/registration/sms/send': ofDraft(undefined, false),
  'POST /api/registration/sms/verify': {
    access: 'other',
    call: async (world) => {
      const { client, who } = await storedDraft(world.app, {}, { phoneVerified: false });
      const { status } = await client.post('/api/registration/sms/send');
      if (status !== 200) throw new Error(`no code was sent: ${status}`);
      return { headers: { 'x-rid': client.rid }, json: { code: await codeSentTo(world.app, who.phone) } };
    },
  },
  'POST /api/registration/demo': {
    access: 'open',
    call: async ({ app }) => ({
      headers: { 'x-bot-check': await aTicket(app, 'demo') },
      json: {
        name: 'Mere Ngata',
        businessName: 'Ngata Electrical',
        phone: '021 234 567',
        email: 'mere@ngata.example',
        reachTime: 'lunch',
      },
    }),
  },
} as const satisfies Record<string, Recipe>;
