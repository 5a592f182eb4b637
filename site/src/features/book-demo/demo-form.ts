import {
  type DemoRequestField,
  type DemoRequestValues,
  demoProblemOf,
  reachTimes,
  validateDemoRequest,
} from '#core/values/demo-request.ts';
import { botCheckFor } from '#site/lib/bot-check/bot-check.ts';
import { requiredElement } from '#site/lib/form.ts';
import type { AnswerOf, BodyOf } from '#site/lib/http/api.ts';
import { fetchOutcome, type Outcome } from '#site/lib/http/fetch-outcome.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import { draftOf, type FormValues, readValues } from '#site/ui/plain-form/form-body.ts';
import {
  refusalsOf,
  settleNotice,
  showNotice,
  shownProblems,
  showProblem,
  showProblems,
} from '#site/ui/plain-form/form-messages.ts';
import { limitFields } from '#site/ui/plain-form/limit-fields.ts';
import { timeToTryAgain } from '#site/ui/plain-form/send.ts';

/** The bot check of demos. */
const botCheck = botCheckFor('demo');

type Booked = AnswerOf<'POST', '/registration/demo'>;

/** Sends the request under its key, once more with a new ticket where the first did not count. Never throws. */
async function sendDemoRequest(body: string, key: string): Promise<Outcome<Booked>> {
  const first = await sendOnce(body, key);
  if (first.kind !== 'refused' || !first.code?.startsWith('bot-check')) return first;
  botCheck.drop(first.price);
  return sendOnce(body, key);
}

async function sendOnce(body: string, key: string): Promise<Outcome<Booked>> {
  const checked = await botCheck.ticket();
  if (checked.kind !== 'ok') return checked;
  return fetchOutcome('/registration/demo', {
    method: 'POST',
    body,
    headers: { 'x-bot-check': checked.payload.ticket, 'idempotency-key': key },
  });
}

/** The draft's name; no business's address has a tilde. */
const draftName = '~book-demo';
const offline = 'There is no network. We keep what you typed and send it as soon as you are back online.';
const tryingAgain =
  'We cannot reach the server just now. We keep what you typed and send it as soon as that works: leave this page open.';

/** Brings the page to life: a draft in the tab, messages beside the fields, a way to send that outlives a lost network. */
function startDemoForm(page: Document): void {
  const form = requiredElement(page, '[data-demo-form]', HTMLFormElement);
  const button = requiredElement(form, '[type=submit]', HTMLButtonElement);
  const draft = draftOf(draftName);
  const refusals = refusalsOf(form);
  restore(form, draft.values());
  limitFields(form);

  form.addEventListener('focusin', () => void botCheck.ticket(), { once: true });
  form.addEventListener('input', ({ target }) => {
    draft.saveValues(readValues(form));
    if (target instanceof HTMLInputElement && target.name in shownProblems(form)) check(target);
    if (!isBusy()) settleNotice(form);
  });
  form.addEventListener('focusout', ({ target }) => {
    if (target instanceof HTMLInputElement && target.value) check(target);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isBusy()) return;
    const problems = validateDemoRequest(valuesOf(form));
    const isRight = Object.keys(problems).length === 0;
    showNotice(form, isRight ? null : 'Please check the marked fields.');
    showProblems(form, problems);
    if (isRight) void submit();
  });

  const isBusy = () => button.ariaBusy === 'true';

  function check({ name, value }: HTMLInputElement): void {
    if (name === 'website') return;
    const problem = refusals.current()[name] ?? demoProblemOf(name as DemoRequestField, value);
    showProblem(form, name, problem);
  }

  async function submit(): Promise<void> {
    button.ariaBusy = 'true';
    const values = readValues(form);
    const body = JSON.stringify(values satisfies Partial<BodyOf<'POST', '/registration/demo'>>);
    const key = draft.keyFor(body, newId);
    let outcome = await sendDemoRequest(body, key);
    for (let tries = 1; outcome.kind === 'lost'; tries += 1) {
      showNotice(form, navigator.onLine ? tryingAgain : offline);
      await timeToTryAgain(tries);
      outcome = await sendDemoRequest(body, key);
    }
    button.ariaBusy = 'false';
    if (outcome.kind === 'ok') {
      draft.remove();
      showBooked(page, outcome.payload.details.reachTime);
      return;
    }
    showNotice(form, outcome.message);
    refusals.take(outcome.fields, values);
    showProblems(form, refusals.current());
  }
}

function valuesOf(form: HTMLFormElement): DemoRequestValues {
  const { name = '', businessName = '', phone = '', email = '', reachTime = '' } = readValues(form);
  return { name, businessName, phone, email, reachTime };
}

function restore(form: HTMLFormElement, values: FormValues): void {
  for (const control of form.querySelectorAll('input')) {
    const value = values[control.name];
    if (value === undefined || control.name === 'website') continue;
    if (control.type === 'radio') control.checked = control.value === value;
    else control.value = value;
  }
}

function showBooked(page: Document, reachTime: string): void {
  const booked = requiredElement(page, '[data-booked]', HTMLElement);
  requiredElement(page, '[data-demo-form]', HTMLElement).hidden = true;
  requiredElement(page, '.demo__alt', HTMLElement).hidden = true;
  const label = reachTimes.find(({ id }) => id === reachTime)?.label ?? '';
  requiredElement(booked, '[data-reach-time]', HTMLElement).textContent = label;
  booked.hidden = false;
  const heading = requiredElement(booked, '#booked', HTMLElement);
  page.title = page.title.replace(/^[^·]*/, 'Demo booked ');
  heading.focus();
}

startDemoForm(document);
