import { useState } from 'react';
import { defaultLocation } from '#core/values/registration-steps.ts';
import { findTrade, shortTradeName } from '#core/values/trade-catalogue.ts';
import { type AnswerOf, ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { query, refreshQueries, useQuery } from '#site/lib/http/query.ts';
import { type Profile, sessionUser } from '#site/lib/profile.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { storeUser } from '#site/lib/session/session-store.ts';
import { CoverageMapFrame, PostcodeField, RadiusField } from '#site/ui/coverage/CoverageFields.tsx';
import { type Coverage, isChosen } from '#site/ui/coverage/coverage.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { tradesQuery as offeredTrades, TradeList } from '#site/ui/trades/TradeList.tsx';
import { tradesQuery } from './enquiry-form/questions-store.ts';
import { SettingPart } from './security/SettingPart.tsx';
import { TimeZonePart } from './TimeZonePart.tsx';

/** What the business does, where, and on whose clocks: each is saved by itself. */
export function WorkParts({ profile }: Readonly<{ profile: Profile }>) {
  const { data: trades } = useQuery(tradesQuery);
  const { data: work } = useQuery(workQuery);
  return (
    <>
      {trades && (
        <SettingPart
          title="Trades"
          value={trades.map(({ name }) => shortTradeName(name)).join(', ')}
          change="Change trades"
        >
          {(close) => <TradesForm chosen={trades.map(({ id }) => id)} onDone={close} />}
        </SettingPart>
      )}
      {work && (
        <SettingPart title="Area you cover" value={areaWords(work)} change="Change area">
          {(close) => <AreaForm region={profile.region} work={work} onDone={close} />}
        </SettingPart>
      )}
      <TimeZonePart
        key={profile.timeZone}
        profile={profile}
        zoneThere={work && work.zoneThere !== profile.timeZone ? work.zoneThere : null}
      />
    </>
  );
}

type Work = Pick<AnswerOf<'GET', '/settings/area'>, 'area' | 'timeZone' | 'zoneThere'>;

/** Where the business works. */
const workQuery = query('work-area', async (signal) => request('GET', '/settings/area', { signal }));

export function areaWords({ area }: Pick<Work, 'area'>): string {
  if (!isChosen({ ...area, zoom: defaultLocation.zoom })) return 'Not set yet';
  return `${Math.round(area.radius / 1_000)} km around your base`;
}

type TradesFormProps = Readonly<{ chosen: readonly string[]; onDone(): void }>;

/** The wizard's list of trades, and what another choice does to the form. */
function TradesForm({ chosen, onDone }: TradesFormProps) {
  const { data: all } = useQuery(offeredTrades);
  const [trades, setTrades] = useState(chosen);
  const { isSaving, save } = useSaving('trades');
  if (!all) return <p role="status">Please wait...</p>;
  const left = chosen.filter((id) => !trades.includes(id));
  const leftNames = left.map((id) => shortTradeName(findTrade(id)?.name ?? id)).join(', ');
  return (
    <div className="work__trades">
      <TradeList all={all} choice={{ trades, specialties: [] }} onChoose={(next) => setTrades(next.trades)} />
      {left.length > 0 && (
        <p className="field__hint" role="status">
          {`Customers are asked nothing about ${leftNames} any more. Your questions are back when the trade is.`}
        </p>
      )}
      <button
        className="btn btn--primary"
        type="button"
        aria-busy={isSaving}
        disabled={isSaving || trades.length === 0 || trades.join() === chosen.join()}
        onClick={() =>
          void save(async () => {
            const saved = await request('PUT', '/settings/trades', { body: { trades: [...trades] } });
            tradesQuery.update(() => saved.trades);
            refreshQueries((key) => key === 'enquiry-form');
            toast.success('Your job form asks about these trades', { title: 'Success', id: 'trades' });
            onDone();
          })
        }
      >
        Save trades
      </button>
    </div>
  );
}

type AreaFormProps = Readonly<{ region: Profile['region']; work: Work; onDone(): void }>;

/** The wizard's map, radius and postcode. */
function AreaForm({ region, work, onDone }: AreaFormProps) {
  const [area, setArea] = useState<Coverage>({ ...work.area, zoom: defaultLocation.zoom });
  const { isSaving, save } = useSaving('area');
  const change = (part: Partial<Coverage>) => setArea((before) => ({ ...before, ...part }));
  const isSame = (['lat', 'lng', 'radius'] as const).every((key) => area[key] === work.area[key]);
  return (
    <div className="work__area">
      <p className="field__hint">Tap the map where you start your day: distances on jobs count from there.</p>
      <CoverageMapFrame region={region} location={area} onChange={change} />
      <div>
        <RadiusField radius={area.radius} onChange={(radius) => change({ radius })} />
      </div>
      <PostcodeField region={region} known="" onFound={({ lat, lng, zoom }) => change({ lat, lng, zoom })} />
      <button
        className="btn btn--primary"
        type="button"
        aria-busy={isSaving}
        disabled={isSaving || isSame || !isChosen(area)}
        onClick={() =>
          void save(async () => {
            const { lat, lng, radius } = area;
            const { user, ...saved } = await request('PUT', '/settings/area', { body: { lat, lng, radius } });
            workQuery.update(() => saved);
            profileQuery.update(() => user);
            storeUser(sessionUser(user));
            toast.success('Distances count from your new base', { title: 'Success', id: 'area' });
            onDone();
          })
        }
      >
        Save area
      </button>
    </div>
  );
}

/** One save at a time; what fails is a toast, and what was chosen stays. */
function useSaving(id: string) {
  const [isSaving, setSaving] = useState(false);
  async function save(work: () => Promise<void>): Promise<void> {
    setSaving(true);
    try {
      await work();
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : unknownFailure, { title: 'Error', id });
    }
    setSaving(false);
  }
  return { isSaving, save };
}
