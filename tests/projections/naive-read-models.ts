import type { RecordedEvent } from '#core/event-store/port.ts';

/** What an event says, without its type: the oracle trusts no fold of the product. */
type Said = Readonly<{ type: string; data: Record<string, any>; revision: number }>;

const statusSaid: Record<string, string> = {
  JobRequested: 'Pending',
  WorkOrderReceived: 'Pending',
  JobAdded: 'To quote',
  JobAccepted: 'To quote',
  JobRejected: 'Rejected',
  JobMarkedUnsuccessful: 'Unsuccessful',
};

const setsSchedule = ['JobScheduled', 'JobScheduleRestored', 'JobMarkedUnsuccessful'];

/** Jobs as the specification has them, from the last event that sets each column. */
export function naiveJobs(events: readonly RecordedEvent[]) {
  return [...byStream(events, 'job-').values()].map((history) => {
    const first = history[0] as Said;
    const last = (...types: string[]) => history.findLast(({ type }) => types.includes(type));
    const lastStatus = history.findLast(({ type }) => type.startsWith('JobStatus') || type in statusSaid);
    const schedule = last(first.type, ...setsSchedule)?.data.scheduledAt ?? null;
    const erasedAt = (last('JobCustomerErased')?.data.erasedAt ?? null) as string | null;
    const isErased = erasedAt !== null;
    const text = (typed: string = '') => (isErased ? '[erased]' : typed);
    const { jobId, businessId, isUrgent = false } = first.data;
    const [name, email, phone, title, address, description] = [
      ...[first.data.name, first.data.email, first.data.phone, first.data.title],
      ...[first.data.location.address, first.data.description],
    ].map(text);
    const status = (lastStatus?.data.status as string) ?? statusSaid[lastStatus?.type ?? ''];
    return {
      ...{ jobId, businessId, name, email, phone, title, isUrgent, address },
      type: first.type === 'WorkOrderReceived' ? 'WorkOrder' : 'Consumer',
      status,
      words: ['Pending', 'Rejected'].includes(status) && !isErased ? description : '',
      scheduledAt: schedule as string | null,
      createdAt: first.data.requestedAt ?? first.data.receivedAt ?? first.data.addedAt,
      noLongerNeededAt: (last('JobNoLongerNeeded')?.data.saidAt ?? null) as string | null,
      notes: text(last(first.type, 'JobNotesChanged', 'JobNotesRestored')?.data.notes),
      description,
      answers: isErased ? [] : (first.data.answers ?? []),
      erasureDueAt: isErased
        ? null
        : ((last('CustomerErasurePlanned', 'CustomerErasureCancelled')?.data.dueAt ?? null) as string | null),
      ...naiveRemoval(isErased ? [] : history),
      erasedAt,
      heldFor: (last('JobHeld', 'JobAccepted', 'JobRejected')?.data.heldFor ?? null) as string | null,
      pictures: isErased ? 0 : naivePictures(history),
      revision: history.length - 1,
    };
  });
}

/** What the customer asks for, and until when the business keeps the details that were asked for. */
function naiveRemoval(history: readonly Said[]) {
  const types = ['CustomerRemovalAsked', 'CustomerRemovalRefused', 'CustomerErasureCancelled'];
  const last = history.findLast(({ type }) => types.includes(type));
  const kept = history.findLast(({ type }) => types.slice(0, 2).includes(type));
  return {
    removalAskedAt: last?.type === 'CustomerRemovalAsked' ? (last.data.askedAt as string) : null,
    keptUntil: kept?.type === 'CustomerRemovalRefused' ? (kept.data.until as string) : null,
  };
}

/** The customer's pictures, and those of the work that were added last and not removed since. */
function naivePictures(history: readonly Said[]): number {
  const files: { mime: string }[] = history[0]?.data.media ?? [];
  const photos = new Set(history.map(({ data }) => data.photoId).filter(Boolean));
  const there = [...photos].filter(
    (id) => history.findLast(({ data }) => data.photoId === id)?.type === 'JobPhotoAdded',
  );
  return files.filter(({ mime }) => mime.startsWith('image/')).length + there.length;
}

/** How many jobs of each status each business has, held ones apart. */
export function naiveCounts(jobs: ReturnType<typeof naiveJobs>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { businessId, status, heldFor } of jobs) {
    const key = `${businessId}: ${status}, held: ${heldFor !== null}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** What each business shows at its address. */
export function naiveBusinesses(events: readonly RecordedEvent[]) {
  return [...byStream(events, 'business-')].flatMap(([stream, history]) => {
    const last = (...types: string[]) => history.findLast(({ type }) => types.includes(type))?.data ?? {};
    const form = byStream(events, 'enquiryForm-').get(stream.replace('business-', 'enquiryForm-')) ?? [];
    const ticked = (id: string) => form.findLast(({ data }) => data.questionId === id)?.type;
    const isFormClosed = has(form, 'EnquiryFormClosed');
    const { slug } = last('PublicAddressChanged', 'BusinessClosurePlanned');
    if (has(history, 'BusinessClosed') || slug === undefined) return [];
    const named = history.findLast(({ data }) => data.tradingName !== undefined)?.data ?? {};
    return [
      {
        name: named.tradingName,
        slug: slug as string,
        theme: last('ThemeChanged').theme,
        logo: last('LogoChanged', 'LogoRemoved').logo ?? null,
        intro: last('BusinessIntroduced').intro,
        tagline: last('BusinessRegistered', 'TaglineChanged').tagline,
        phone: last('BusinessContactPublished').phone ?? null,
        asksBudget: !isFormClosed && ticked('budget') === 'QuestionEnabled',
        asksPets: !isFormClosed && ticked('pets') !== 'QuestionDisabled',
      },
    ];
  });
}

const isAboutEmail = ['EmailConfirmationAwaited', 'AccountEmailConfirmed', 'AccountEmailChanged'];

/** Who can sign in: of each field, the last value. */
export function naiveAccounts(events: readonly RecordedEvent[]) {
  const closed = [...byStream(events, 'business-').values()].filter((one) => has(one, 'BusinessClosed'));
  const without = new Set(closed.map(([first]) => first?.data.accountId));
  const open = [...byStream(events, 'account-').values()].filter(
    (one) => !has(one, 'AccountErased') && !without.has(one[0]?.data.accountId),
  );
  return open.map((history) => {
    const last = (word: string) => history.findLast(({ data }) => data[word] !== undefined)?.data[word];
    return {
      accountId: last('accountId') as string,
      user: {
        ...{ firstName: last('firstName'), lastName: last('lastName') },
        ...{ email: last('email'), phone: last('phone') },
      },
      onboarding: history.every(({ type }) => type !== 'OnboardingFinished'),
      emailConfirmed:
        history.findLast(({ type }) => isAboutEmail.includes(type))?.type !== 'EmailConfirmationAwaited',
    };
  });
}

const has = (history: readonly Said[], type: string) => history.some((said) => said.type === type);

function byStream(events: readonly RecordedEvent[], prefix: string): Map<string, Said[]> {
  const streams = new Map<string, Said[]>();
  for (const { stream, event, revision } of events) {
    if (!stream.startsWith(prefix) || !event) continue;
    const said = { ...event, revision } as Said;
    streams.set(stream, [...(streams.get(stream) ?? []), said]);
  }
  return streams;
}
