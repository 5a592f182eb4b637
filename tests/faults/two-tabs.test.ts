import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { faultRounds } from '#tests/support/run/fault-rounds.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

const ROUNDS = faultRounds * 5;

let api: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn();
});
afterAll(() => api?.close());

type Edit = Readonly<Record<string, string>>;

/** Two tabs that show the same revision of an accepted job save at the same moment. */
async function saveBoth(one: Edit, other: Edit): Promise<{ id: string; answers: Answer[] }> {
  const id = await requestedJob(api, acme);
  const { revision } = (await acme.put(`/api/jobs/${id}/accept`)).body.job;
  const save = (edit: Edit) => acme.put(`/api/jobs/${id}`, { ...edit, revision });
  return { id, answers: await Promise.all([save(one), save(other)]) };
}

async function shown(id: string): Promise<Record<string, unknown>> {
  await api.settle();
  return (await acme.get(`/api/jobs/${id}`)).body.job;
}

test.each([
  ['notes', { notes: 'Ring first' }, { notes: 'Key under the mat' }],
  ['status', { status: 'Quoted' }, { status: 'Invoice sent' }],
])(
  `of two ${ROUNDS} times at once who change the %s, one is told, and shown what stands`,
  async (part, one, other) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const edits: Edit[] = [one, other];
      const { id, answers } = await saveBoth(one, other);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const won = answers.findIndex(({ status }) => status === 200);
      const stored = edits[won]?.[part];
      const refused = answers[1 - won];
      expect(refused?.body).toMatchObject({ status: 'error', job: { id, [part]: stored } });
      expect(await shown(id)).toMatchObject({ [part]: stored });

      const { revision } = refused?.body.job ?? {};
      const after = await acme.put(`/api/jobs/${id}`, { ...edits[1 - won], revision });
      expect(after.status).toBe(200);
      expect(await shown(id)).toMatchObject({ [part]: edits[1 - won]?.[part] });
    }
  },
);

test(`two who change the notes and the status, ${ROUNDS} times at once, both keep what they did`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const edit = { notes: `Ring first ${round}`, status: 'Quoted' } as const;
    const { id, answers } = await saveBoth({ notes: edit.notes }, { status: edit.status });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await shown(id)).toMatchObject(edit);
    const types = (await api.deps.store.readStream(`job-${id}`)).map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(['JobRequested', 'JobAccepted']);
    expect(types.slice(2).toSorted()).toEqual(['JobNotesChanged', 'JobStatusChanged']);
  }
});
