import type { Event } from '#core/kernel/event.ts';
import type { ReachTime } from '#core/values/demo-request.ts';

/** Somebody who has no account wants to be shown the product. `phone` in E.164. */
export type DemoRequested = Event<
  'DemoRequested',
  {
    demoId: string;
    name: string;
    businessName: string;
    phone: string;
    email: string;
    reachTime: ReachTime;
    requestedAt: string;
  }
>;

export type DemoEvent = DemoRequested;
