import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import type { BusinessState } from '#core/business/state.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { isEnquiryFormEvent } from '#core/enquiry-form/events.ts';
import type { EnquiryFormState } from '#core/enquiry-form/state.ts';
import { readableEvents } from '#core/event-store/codec.ts';
import { comparePositions, type Position } from '#core/event-store/port.ts';
import { fold } from '#core/kernel/decider.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type ChangedBusiness, changeBusiness } from './change-business.ts';
import { changeForm } from './change-enquiry-form.ts';
import { isUnset, taglineOf, zoneOf } from './place-of-business.ts';

type WorkDeps = Pick<Deps, 'store' | 'newId' | 'now'>;
type Business = NonNullable<BusinessState>;
type Coverage = Business['coverage'];

/** Where a business works: degrees and metres. `timeZone` is the one it has, `zoneThere` that of the area's middle; both IANA. */
export type WorkArea = Readonly<{
  area: Coverage;
  timeZone: string;
  zoneThere: string;
}>;

/** Where the signed-in tradie's business works, from its stream: never behind. */
export async function workAreaOf(
  deps: Pick<Deps, 'store'>,
  { businessId }: Pick<Session, 'businessId'>,
): Promise<WorkArea> {
  return areaOf(await ownBusiness(deps, businessId));
}

/** The same of a business that was just folded. `zoneThere` of an area that was never set is the zone that it has. */
export function areaOf({ coverage, timeZone, region }: Business): WorkArea {
  const zoneThere = isUnset(coverage) ? timeZone : zoneOf({ location: coverage }, region);
  return { area: coverage, timeZone, zoneThere };
}

/**
 * Changes the trades: what the form asks, and the line under the name. They are two streams; what a crash leaves undone of
 * the second, the same request makes good. Throws what their deciders throw.
 */
export async function changeTrades(
  deps: WorkDeps,
  session: Session,
  trades: readonly string[],
  correlation: string,
): Promise<Readonly<{ form: NonNullable<EnquiryFormState>; position: Position }>> {
  const at = deps.now().toISOString();
  const { businessId } = session;
  const business = await ownBusiness(deps, businessId);
  const command = { type: 'ChangeTrades', at, data: { businessId, trades } } as const;
  const { form, position } = await changeForm(deps, session, [command], correlation);
  const named = await changeBusiness(deps, session, [await tagline(business, { trades, at })], {
    at,
    correlation,
  });
  return { form, position: later(position, named.position) };
}

/** Changes the area, whose middle is where the day starts, and with it the line under the name. Throws what its decider throws. */
export async function changeArea(
  deps: WorkDeps,
  session: Session,
  coverage: Coverage,
  correlation: string,
): Promise<ChangedBusiness> {
  const at = deps.now().toISOString();
  const { businessId } = session;
  const business = { ...(await ownBusiness(deps, businessId)), coverage };
  const trades = await tradesOf(deps, businessId);
  const moved = { type: 'ChangeServiceArea', at, data: { businessId, coverage } } as const;
  return changeBusiness(deps, session, [moved, await tagline(business, { trades, at })], { at, correlation });
}

/** Changes on whose clocks days and times are shown; every instant stays. Throws what its decider throws. */
export function changeTimeZone(
  deps: WorkDeps,
  session: Session,
  timeZone: string,
  correlation: string,
): Promise<ChangedBusiness> {
  const at = deps.now().toISOString();
  const data = { businessId: session.businessId, timeZone };
  return changeBusiness(deps, session, [{ type: 'ChangeTimeZone', at, data }], { at, correlation });
}

async function tagline(
  { businessId, coverage: location, region }: Business,
  { trades, at }: Readonly<{ trades: readonly string[]; at: string }>,
): Promise<BusinessCommand> {
  const words = await taglineOf({ location, trades }, region);
  return { type: 'ChangeTagline', at, data: { businessId, tagline: words } };
}

async function ownBusiness(deps: Pick<Deps, 'store'>, businessId: string): Promise<Business> {
  const business = await loadBusiness(deps, businessId);
  if (business === null) throw new NotFoundError('Business not found');
  return business;
}

async function tradesOf({ store }: Pick<Deps, 'store'>, businessId: string): Promise<readonly string[]> {
  const recorded = await store.readStream(streamName('enquiryForm', businessId));
  return fold(enquiryFormDecider, readableEvents(isEnquiryFormEvent, recorded))?.trades ?? [];
}

function later(a: Position, b: Position): Position {
  return comparePositions(a, b) > 0 ? a : b;
}
