import { expect, test } from 'vitest';
import { auditWhenDue } from '#api/proof/audit.ts';
import { readProofStatus } from '#api/proof/read.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { proofStage } from '#tests/support/log/proof-stage.ts';
import { rewriteStream } from '#tests/support/log/running-log.ts';

const stage = proofStage();
const WEEK = 7 * 24 * 60;

function audit(wait = 0): Promise<boolean> {
  stage.pass(wait);
  const { pool, connectionString, macKey, outlet, now } = stage.options();
  const openLog = async () => ({ ...openEmbeddedLog({ pool, connectionString }), gapless: true });
  return auditWhenDue({ pool, connectionString, openLog, macKey, outlet, now }, silentLog, stage.never);
}

const audited = async () => (await readProofStatus(stage.pool())).audited;

/** Takes the owner's way around the rules of the table. */
async function change(set: string, position: number): Promise<void> {
  await stage.admin().query("set session_replication_role = 'replica'");
  await stage.admin().query(`update event_store.events set ${set} where pos = $1`, [position]);
}

test('the whole log is audited once a week', async () => {
  await stage.seed(20);
  await stage.prove();
  expect(await audited()).toBeNull();
  expect(await audit()).toBe(true);
  expect(await audited()).toMatchObject({ size: 20, fault: null });
  await stage.seed(5);
  expect(await audit(WEEK - 1)).toBe(false);
  expect(await audit(1)).toBe(true);
  expect(await audited()).toEqual({ size: 25, fault: null, at: stage.options().now() });
});

test('a changed event is named by its position, and how many fit before it', async () => {
  await stage.seed(20);
  await change(`data = jsonb_set(data, '{businessId}', '"b2"')`, 14);
  await audit();
  expect(await audited()).toMatchObject({ size: 13, fault: 'position 14: the hash does not fit' });
});

test('an event that something else appended is named', async () => {
  await stage.seed(20);
  await change(`meta = meta || '{"mac": "AAAAAAAAAAAAAAAAAAAAAA"}'`, 14);
  await audit();
  expect(await audited()).toMatchObject({ size: 20, fault: 'position 14: mac-wrong' });
});

test('an event without a MAC is named, the first of the log too', async () => {
  await stage.seed(20);
  await change(`meta = meta - 'mac'`, 1);
  await audit();
  expect(await audited()).toMatchObject({ size: 20, fault: 'position 1: mac-missing' });
});

test('a history that was rewritten, chains and all, does not fit what was signed before', async () => {
  await stage.seed(20);
  await stage.prove();
  const { rows } = await stage
    .admin()
    .query<{ stream: string }>('select stream from event_store.events limit 1');
  await rewriteStream(stage.admin(), rows[0]?.stream ?? '', stage.options().macKey, ({ pos, data }) =>
    Number(pos) === 14 ? { ...data, businessId: 'b2' } : data,
  );
  await audit();
  expect(await audited()).toMatchObject({ size: 20, fault: 'checkpoint 20 does not fit' });
});

test('an audit that found a fault is made again a week later, and says that all fits once it is mended', async () => {
  await stage.seed(3);
  await change(`meta = meta || '{"mac": "AAAAAAAAAAAAAAAAAAAAAA"}'`, 2);
  await audit();
  await stage.admin().query('delete from event_store.events where pos > 1');
  await audit(WEEK);
  expect(await audited()).toMatchObject({ size: 1, fault: null });
});
