import type { Command } from 'commander';
import { loadAccount } from '#api/accounts/load-account.ts';
import { findSlugOwner, reservationKey } from '#api/accounts/reservations.ts';
import { counted } from '#api/cli/report.ts';
import { idFrom, jobIdOf, type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { findForm } from '#api/intake/public-form.ts';
import { sentMessages } from '#api/outbox/delivery-status.ts';
import { carryOut, type ErasureDeps } from '#api/privacy/carry-out.ts';
import { erasedBy } from '#api/privacy/closing.ts';
import { assertNotKept, findDispute } from '#api/privacy/disputes/disputes.ts';
import { type ListedErasure, listErasures } from '#api/privacy/erasures.ts';
import { fileLedger } from '#api/privacy/ledger.ts';
import { listOutOfReach } from '#api/privacy/out-of-reach.ts';
import { previewErasure, verifyErasure } from '#api/privacy/remains.ts';
import {
  businessOfJob,
  cancelErasure,
  type ErasureRequest,
  requestErasure,
} from '#api/privacy/request-erasure.ts';
import { messageKinds } from '#api/rooms.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { normaliseEmail } from '#core/values/contact.ts';
import { normaliseSlug } from '#core/values/slug.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import { bringUpToDate } from '#projections/bring-up-to-date.ts';
import { findContact, findJobsOfCustomer } from '#projections/jobs/erased.ts';
import { projections } from '#projections/registry.ts';

type When = Readonly<{ dryRun?: boolean; now?: boolean }>;
type Who = When & Readonly<{ business: string; email?: string; phone?: string; job?: string }>;
type Subjects = Pick<ErasureRequest, 'scope' | 'businessId' | 'ids'>;

const halted = () => 'what was begun is gone on with by the worker, or by the same command.';

export function addForgetCommand(program: Command): void {
  const forget = program
    .command('forget')
    .description('Removes what is known of a person. It can be taken back until it is due.');
  const asking = (name: string, description: string) =>
    forget
      .command(name)
      .description(description)
      .option('--dry-run', 'shows what would be removed, and changes nothing')
      .option('--now', 'at once; it cannot be taken back then');

  asking('customer', 'All jobs of a customer of one business, found by email, phone or one of them.')
    .requiredOption('--business <slug>', 'whose customer: the last part of the address of its public form')
    .option('--email <email>', "the customer's email")
    .option('--phone <phone>', "the customer's mobile number")
    .option('--job <id>', 'a job, by its id or reference: all with its email or phone')
    .action((who: Who) => withSystem((system) => ask(system, who, () => customerOf(system, who)), halted));
  asking('job', 'The customer of one job.')
    .argument('<id>', 'the id of the job, or its reference', idFrom)
    .action((id: string, when: When) =>
      withSystem((system) => ask(system, when, () => jobOf(system, id)), halted),
    );
  asking('demo', 'A person who asked for a demo.')
    .argument('<id>', 'the id of the request', idFrom)
    .action((id: string, when: When) =>
      withSystem((system) => ask(system, when, () => demoOf(system, id)), halted),
    );

  asking('account', 'A tradie, and so the business that they own, with all its jobs.')
    .argument('<id>', 'the id of the account', idFrom)
    .action((id: string, when: When) =>
      withSystem((system) => ask(system, when, () => accountOf(system, id)), halted),
    );
  asking('business', 'A business with all its jobs, and the account of its owner.')
    .argument('<slug>', 'the last part of the address of its public form')
    .action((slug: string, when: When) =>
      withSystem((system) => ask(system, when, () => businessAt(system, slug)), halted),
    );

  forget
    .command('list')
    .option('--json', 'as JSON, for an inspector')
    .description(
      'The record of processing: what was asked for and why, what is due, what was done and in how many days; no names.',
    )
    .action(({ json = false }: { json?: boolean }) => withSystem((system) => list(system, json)));
  forget
    .command('cancel')
    .argument('<id>', 'of the removal', idFrom)
    .description('Takes a removal back that has not begun.')
    .action((id: string) =>
      withSystem(async (system) => {
        await cancelErasure(depsOf(system), id);
        print([`${id}: taken back`]);
        return true;
      }),
    );
  forget
    .command('verify')
    .argument('<id>', 'of the removal')
    .description(
      'Looks at tables, keys, samples and the ledger once more. Exit code 1 when something is left.',
    )
    .action((id: string) => withSystem((system) => verify(system, id)));
}

async function ask(
  system: System,
  { dryRun = false, now: isNow = false }: When,
  find: () => Promise<Subjects>,
) {
  const deps = depsOf(system);
  const subjects = await find();
  if (subjects.ids.length === 0) throw new Error('There is no job of this customer.');
  // What waits for its day waits for the end of a dispute besides; what is carried out here must not begin.
  const dispute = dryRun || isNow ? await findDispute(deps, subjects, deps.now()) : null;
  if (dryRun) {
    const { sentMessages: sent, ...found } = await previewErasure(
      system.pool,
      await erasedBy(deps, subjects),
    );
    const { scope, businessId, ids } = subjects;
    const jobIds = scope === 'jobs' ? ids : [];
    const outside = await listOutOfReach(system, sentMessages({ db: system.pool }, messageKinds), {
      businessId,
      jobIds,
    });
    print([
      ...subjects.ids.map((id) => `${subjects.scope === 'jobs' ? 'job' : subjects.scope} ${id}`),
      `would be removed: ${Object.entries(found)
        .map(([what, n]) => `${n} ${words[what as keyof typeof words][n === 1 ? 0 : 1]}`)
        .join(', ')}`,
      `out of reach: ${counted(sent, 'message')} that went out`,
      ...outside.map(({ at, text }) => `  ${at}  ${text}`),
      ...(dispute ? [`kept meanwhile: ${kept[dispute.of]} until ${dispute.until}`] : []),
    ]);
    return true;
  }
  assertNotKept(dispute);
  const before = isNow ? undefined : await askedBefore(system, subjects);
  if (before) {
    const { erasureId, dueAt } = before;
    print([`${erasureId}: asked for before, due ${dueAt.toISOString()}; ute forget cancel ${erasureId}`]);
    return true;
  }
  const erasureId = crypto.randomUUID();
  const { dueAt } = await requestErasure(deps, { ...subjects, erasureId, basis: 'operator', isNow });
  if (!isNow) {
    print([`${erasureId}: ${subjects.ids.length} to remove, due ${dueAt}; ute forget cancel ${erasureId}`]);
    return true;
  }
  await carryOut(deps, erasureId);
  print([`${erasureId}: ${subjects.ids.length} removed`]);
  return true;
}

/** The same once more would be due although the first was taken back, with the contact or the public page back in place. */
async function askedBefore({ pool }: System, { scope, ids }: Subjects): Promise<ListedErasure | undefined> {
  return (await listErasures(pool)).find(
    (one) =>
      one.basis === 'operator' &&
      one.status === 'requested' &&
      one.scope === scope &&
      ids.every((id) => one.ids.includes(id)),
  );
}

const kept = { job: 'a job is in dispute', business: 'there is a hold on the business' } as const;
const words = {
  ...{ keys: ['key', 'keys'], jobs: ['job', 'jobs'], files: ['file', 'files'], links: ['link', 'links'] },
  waitingMessages: ['message that waits', 'messages that wait'],
} as const;

async function customerOf(system: System, { business, email, phone, job: named }: Who): Promise<Subjects> {
  const found = await findForm(system, business);
  if (!found) throw new Error('There is no business with this address.');
  if ([email, phone, named].filter((one) => one !== undefined).length !== 1)
    throw new Error('Name the customer by one of --email, --phone and --job.');
  const { businessId } = found;
  const job = named === undefined ? undefined : await jobIdOf(system, named, businessId);
  const known = job === undefined ? undefined : await findContact(system.pool, businessId, job);
  if (job !== undefined && !known) throw new Error('This business has no such job.');
  const typed = phone === undefined ? undefined : readPhone(phone, found.form.region);
  if (typed === null) throw new Error('This is no mobile number.');
  const contact = known ?? { email: email && normaliseEmail(email), phone: typed };
  const ids = await findJobsOfCustomer(system.pool, businessId, contact, 'all');
  return { scope: 'jobs', businessId, ids: [...new Set([...ids, ...(job === undefined ? [] : [job])])] };
}

async function jobOf(system: System, named: string): Promise<Subjects> {
  const { store } = system;
  const id = await jobIdOf(system, named);
  const businessId = await businessOfJob({ store }, id);
  if (businessId === null) throw new Error('There is no such job.');
  return { scope: 'jobs', businessId, ids: [id] };
}

async function demoOf({ store }: System, id: string): Promise<Subjects> {
  const [first] = await store.readStream(streamName('demo', id));
  if (!first) throw new Error('There is no such request for a demo.');
  return { scope: 'demo', businessId: null, ids: [id] };
}

async function accountOf({ store }: System, id: string): Promise<Subjects> {
  const { account } = await loadAccount({ store }, id);
  if (account.isErased) throw new Error('This account was removed already.');
  return { scope: 'account', businessId: account.businessId, ids: [id] };
}

/** By the reservation of the address: the form of one that is to be closed is offline. */
async function businessAt({ db, config }: System, slug: string): Promise<Subjects> {
  const id = await findSlugOwner(db, reservationKey(config, 'slug', normaliseSlug(slug)), new Date());
  if (id === null) throw new Error('There is no business with this address.');
  return { scope: 'business', businessId: id, ids: [id] };
}

async function list({ pool }: System, isJson: boolean): Promise<boolean> {
  const listed = await listErasures(pool);
  if (isJson) print([JSON.stringify(listed.map(recordOf), null, 2)]);
  else print(listed.length === 0 ? ['nothing was asked for'] : listed.map(lineOf));
  return true;
}

/** An erasure as the record of processing has it: when, why, of how much and in how many days; ids, no name. */
function recordOf(erasure: ListedErasure) {
  const { requestedAt, completedAt, ids } = erasure;
  const daysTaken = completedAt && Math.ceil((completedAt.getTime() - requestedAt.getTime()) / 86_400_000);
  return { ...erasure, subjects: ids.length, daysTaken };
}

function lineOf({ erasureId, scope, ids, basis, status, dueAt, completedAt }: ListedErasure): string {
  const due = `${status === 'cancelled' ? 'was due' : 'due'} ${dueAt.toISOString()}`;
  const when = completedAt ? `done ${completedAt.toISOString()}` : due;
  const what = counted(ids.length, scope === 'jobs' ? 'job' : scope);
  return `${erasureId}  ${status}  ${what}  ${basis}  ${when}`;
}

async function verify(system: System, id: string): Promise<boolean> {
  const erasure = (await listErasures(system.pool)).find(({ erasureId }) => erasureId === id);
  if (!erasure) throw new Error('There is no such removal.');
  if (erasure.status !== 'completed') {
    print([`${id}: ${erasure.status}, not completed`]);
    return false;
  }
  const left = await verifyErasure(depsOf(system), await erasedBy(system, erasure));
  print(left.length === 0 ? [`${id}: nothing is left`] : left.map((line) => `${id}: ${line}`));
  return left.length === 0;
}

/** The steps need no worker: where none runs, the read models follow in this process. */
export function depsOf(system: System): ErasureDeps {
  const { store, pool, config, now, subjectKeys, files, logger } = system;
  return {
    ...{ store, everyRow: pool, now, subjectKeys, files, logger },
    ledger: fileLedger(config.erasuresTo),
    awaitReadModels: async () => {
      await bringUpToDate(system, projections);
      return true;
    },
  };
}
