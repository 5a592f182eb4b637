import { type } from 'arktype';
import type { Command, Decider } from '#core/kernel/decider.ts';
import { validateDemoRequest } from '#core/values/demo-request.ts';
import { malformedMessage } from '#core/values/job-form.ts';
import { type DemoEvent, isDemoEvent } from './events.ts';

/** As `normaliseDemoRequest` writes it. */
export type DemoCommand = Command<'RequestDemo', Omit<DemoEvent['data'], 'requestedAt'>>;

/** A demo that was asked for; null before. */
export type DemoState = DemoEvent['data'] | null;

/** What may happen to a demo: it is asked for once. */
export const demoDecider: Decider<DemoState, DemoCommand, DemoEvent> = {
  initialState: null,
  owns: isDemoEvent,
  evolve: (state, event) => state ?? event.data,
  decide({ at, data }, state) {
    return state === null ? [{ type: 'DemoRequested', data: { ...data, requestedAt: at } }] : [];
  },
};

/** The body of `POST /registration/demo`. Closed; `website` is a trap that people leave empty. */
export const DemoRequest = type({
  '+': 'reject',
  name: 'string',
  businessName: 'string',
  phone: 'string',
  email: 'string',
  reachTime: 'string',
  'website?': 'string <= 300',
})
  .configure({ message: () => malformedMessage }, 'references')
  .narrow((request, ctx) => {
    for (const [field, message] of Object.entries(validateDemoRequest(request))) {
      ctx.error({ path: [field], message });
    }
    return !ctx.hasError();
  });
export type DemoRequest = typeof DemoRequest.infer;
