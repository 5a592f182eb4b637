import { expect } from 'vitest';
import { deliver, sentMail } from '#tests/support/app/messages.ts';
import {
  developmentOperations,
  type Operation,
  operations,
  perform,
  recipes,
} from '#tests/support/operations/operations.ts';
import type { Call, Recipe, World } from '#tests/support/operations/world.ts';
import { askKel } from './assistant.ts';
import type { Markers } from './erasing.ts';
import { jpeg, png, secretOfCamera, unzip, withExif } from './files.ts';
import { aNewJob, aTicket, dateIn, requestedJob } from './job-requests.ts';

/** One text for each field, and for each way in; no two alike. */
export const ofForm = {
  'the form’s name': 'Wilhelmina Qurazy',
  'the form’s email': 'wilhelmina.q@qurazy.example',
  'the form’s phone': '+61491571266',
  'the form’s phone as people read it': '0491 571 266',
  'the form’s address': '77 Zephyranthes Lane, Fitzroy VIC 3065',
  'the form’s title': 'Xylophonic boiler',
  'the form’s description': 'Underfloor gurgling nightly',
  'the form’s wished time': 'Thursdays after vespers',
  'an answer of the form': 'Brontosaurus in the garden',
  'the file’s name': 'crankshaft-photograph',
  'what the camera wrote': secretOfCamera,
  'the first notes': 'Beware of Cerberus the dog',
  'the later notes': 'Spare key with Mnemosyne',
  'the caption': 'Behind the velvet curtain',
  'the correction': 'Spelled with an umlaut',
  'the reason of the dispute': 'Quarrel over the spanner',
} as const satisfies Markers;
const byHand = {
  'the name by hand': 'Thelonius Vexmoor',
  'the email by hand': 'thelonius.v@vexmoor.example',
  'the phone by hand': '+61491571491',
  'the address by hand': '9 Quagmire Crescent, Preston VIC 3072',
  'the title by hand': 'Ziggurat of gutters',
  'the notes by hand': 'Enter by the wisteria',
} as const satisfies Markers;
const ofOrder = {
  'the order’s name': 'Ottoline Grubbley',
  'the order’s email': 'ottoline.g@grubbley.example',
  'the order’s phone': '+61491571804',
  'the order’s address': '31 Kaleidoscope Street, Coburg VIC 3058',
  'the order’s title': 'Phlegmatic hot water',
  'the order’s description': 'Whistles like a kettledrum',
} as const satisfies Markers;
/** All of them, by what they are. */
export const jobMarkers: Markers = { ...ofForm, ...byHand, ...ofOrder };

/** A job by the form, with everything that can be added to it, and links that messages about it brought. */
export async function jobByForm({
  app: api,
  acme,
}: World): Promise<Readonly<{ id: string; links: string[] }>> {
  const ticket = await aTicket(api, 'public-form', acme.slug);
  const upload = async (name: string, body: Uint8Array<ArrayBuffer>) => {
    const path = `/api/public-forms/${acme.slug}/media?name=${encodeURIComponent(name)}`;
    const { body: sent } = await api.send('POST', path, { body, headers: { 'x-bot-check': ticket } });
    return sent.media.id as string;
  };
  const media = [await upload(`${ofForm['the file’s name']}.jpg`, withExif(await jpeg(60, 40)))];
  const question = { trade: 'plumbing', question: 'What grows there?', seq: 1 };
  const { body: asked } = await acme.post('/api/form', question);
  await api.settle();
  const request = {
    ...{ name: ofForm['the form’s name'], email: ofForm['the form’s email'], phone: '0491 571 266' },
    ...{ address: ofForm['the form’s address'], title: ofForm['the form’s title'], media },
    ...{ description: ofForm['the form’s description'], wishedTime: ofForm['the form’s wished time'] },
    answers: [{ questionId: asked.question.id, answer: ofForm['an answer of the form'] }],
  };
  const id = await requestedJob(api, acme, request, { 'x-bot-check': ticket });
  await deliver(api);
  await acme.put(`/api/jobs/${id}/accept`);
  for (const notes of [ofForm['the first notes'], ofForm['the later notes']])
    await acme.put(`/api/jobs/${id}`, { notes });
  const { job } = (await acme.get(`/api/jobs/${id}`)).body;
  expect((await acme.post(`/api/jobs/${id}/undo`, { revision: job.revision })).status).toBe(200);
  await acme.put(`/api/jobs/${id}`, { notes: ofForm['the later notes'] });
  const photo = `/api/jobs/${id}/photos/${crypto.randomUUID().replaceAll('-', '')}`;
  await acme.send('PUT', `${photo}?stage=before`, { body: png(60, 40) });
  await acme.post(photo, { stage: 'before', caption: ofForm['the caption'] });
  await acme.put(`/api/jobs/${id}/dispute`, {
    until: dateIn(30),
    reason: ofForm['the reason of the dispute'],
  });
  await acme.delete(`/api/jobs/${id}/dispute`);
  const [receipt] = await sentMail(api, ofForm['the form’s email']);
  const links = [...(receipt?.text ?? '').matchAll(/\/(?:not-needed|your-details)\/\S+/g)].map(
    ([link]) => link,
  );
  const details = links.find((link) => link.startsWith('/your-details/'));
  const correction = { ask: 'correction', text: ofForm['the correction'] };
  expect((await api.post(`/api${details}`, correction)).status).toBe(200);
  await api.settle();
  return { id, links };
}

/** A job that the tradie typed in, with every field marked. */
export async function jobByHand({ acme }: World): Promise<string> {
  const { body } = await acme.post(
    '/api/jobs',
    aNewJob({
      ...{ name: byHand['the name by hand'], email: byHand['the email by hand'], phone: '0491 571 491' },
      ...{ address: byHand['the address by hand'], title: byHand['the title by hand'] },
      notes: byHand['the notes by hand'],
    }),
  );
  return body.job.id;
}

/** A work order with every field marked. */
export function jobByOrder({ acme, pendingJob }: World): Promise<string> {
  return pendingJob(acme, {
    ...{ name: ofOrder['the order’s name'], email: ofOrder['the order’s email'], phone: '0491 571 804' },
    ...{ address: ofOrder['the order’s address'], title: ofOrder['the order’s title'] },
    description: ofOrder['the order’s description'],
  });
}

/** What the tradie does with jobs that stores nothing of them, or should not. */
export async function useJobs({ app: api, acme }: World, ids: readonly string[]): Promise<void> {
  for (const word of ['Qurazy', 'Vexmoor', 'Grubbley', 'Xylophonic boiler'])
    await acme.get(`/api/jobs?search=${encodeURIComponent(word)}`);
  await askKel(api, acme, `Show ${ofForm['the form’s name']}`);
  await askKel(api, acme, `Find the job about ${byHand['the title by hand']}`);
  for (const id of ids) await acme.get(`/api/jobs/${id}/history`);
  await deliver(api);
}

/** What every GET of the API, searches, the export and the assistant answer to the tradie: of each of these jobs where it is about one. */
export async function allAnswers(world: World, ids: readonly string[]): Promise<Record<string, string>> {
  const { app: api, acme } = world;
  const answers: Record<string, string> = {};
  const all: readonly Operation[] = [...operations, ...developmentOperations];
  for (const operation of all.filter((one) => one.startsWith('GET '))) {
    const recipe: Recipe = recipes[operation];
    if (recipe.streams) continue;
    const call: Call = await recipe.call(world);
    const calls = operation.startsWith('GET /api/jobs/:id')
      ? ids.map((id) => ({ ...call, params: { ...call.params, id } }))
      : [call];
    for (const [n, one] of calls.entries()) {
      const { status, text } = await perform(world, operation, one);
      expect(status, operation).toBeLessThan(500);
      answers[`${operation} ${n}`] = text;
    }
  }
  for (const query of [
    '',
    '?view=all',
    ...Object.values(jobMarkers).map((text) => `?search=${encodeURIComponent(text)}`),
  ])
    answers[`GET /api/jobs${query}`] = (await acme.get(`/api/jobs${query}`)).text;
  const { url } = (await acme.post('/api/settings/export', { currentPassword: acme.password })).body;
  const zip = await unzip(await (await api.app.handle(new Request(`http://localhost${url}`))).bytes());
  for (const [name, entry] of zip) answers[`the export’s ${name}`] = `${name}\n${entry.toString('latin1')}`;
  for (const id of ids) {
    const { said, text } = await askKel(api, acme, `Show job ${id}`);
    answers[`the assistant of ${id}`] = said + text;
  }
  return answers;
}
