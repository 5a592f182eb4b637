import { type } from 'arktype';
import type { DemoEvent, DemoRequested } from '#core/demo/events.ts';
import { reachTimes } from '#core/values/demo-request.ts';
import { ERASED, type EventVersions, id, instant, type Plain } from './event-version.ts';

const DemoRequested1 = type
  .declare<Plain<DemoRequested['data']>>()
  .type({
    demoId: id,
    name: 'string',
    businessName: 'string',
    phone: 'string',
    email: 'string',
    reachTime: type.enumerated(...reachTimes.map((time) => time.id)),
    requestedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

/** The events of demos: each prospect has a key of their own, and can be forgotten alone. */
export const demoEvents = {
  DemoRequested: [
    {
      schema: DemoRequested1,
      personal: {
        subject: ({ demoId }) => `demo-${demoId}`,
        erased: { name: ERASED, businessName: ERASED, phone: ERASED, email: ERASED },
      },
    },
  ],
} as const satisfies {
  [T in DemoEvent['type']]: EventVersions<Extract<DemoEvent, { type: T }>>;
};
