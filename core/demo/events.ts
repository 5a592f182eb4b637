import { type } from 'arktype';
import { type EventOf, event, eventGuard, id, instant } from '#core/kernel/event.ts';
import { reachTimes } from '#core/values/demo-request.ts';
import { ERASED } from '#core/values/stored-details.ts';

/** The events of demos: each prospect has a key of their own, and can be forgotten alone. */
export const demoEvents = {
  /** A person without an account wants to be shown the product. `phone` in E.164. */
  DemoRequested: event(
    {
      demoId: id,
      name: 'string',
      businessName: 'string',
      phone: 'string',
      email: 'string',
      reachTime: type.enumerated(...reachTimes.map((time) => time.id)),
      requestedAt: instant,
    },
    {
      personal: {
        subject: ({ demoId }) => `demo-${demoId}`,
        erased: { name: ERASED, businessName: ERASED, phone: ERASED, email: ERASED },
      },
    },
  ),
};

export type DemoEvent = EventOf<typeof demoEvents>;

export const isDemoEvent = eventGuard(demoEvents);
