import type { WorkOrder } from '#api/intake/work-order.ts';

/** A job that the product sends to the business with this public address. */
export function aWorkOrder(business: string, overrides: Partial<WorkOrder> = {}): WorkOrder {
  return {
    business,
    name: 'Lena Fischer',
    email: 'lena.fischer@example.com',
    phone: '0491 570 006',
    address: '3/88 Nicholson Street, Fitzroy North VIC 3068',
    title: 'Hot water unit',
    description: 'The pilot will not stay lit.',
    ...overrides,
  };
}
