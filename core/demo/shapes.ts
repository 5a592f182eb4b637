import { type } from 'arktype';
import { validateDemoRequest } from '#core/values/demo-request.ts';
import { malformedMessage } from '#core/values/job-form.ts';

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
