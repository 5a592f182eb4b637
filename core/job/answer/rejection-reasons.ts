/** Why a tradie turned a job down, with the words on its button. */
export const rejectionReasonLabels = {
  'too-far': 'Too far',
  'booked-out': 'Booked out',
  'not-my-trade': 'Not my trade',
  none: 'No reason',
} as const;

export type RejectionReason = keyof typeof rejectionReasonLabels;

export const rejectionReasons = Object.keys(rejectionReasonLabels) as RejectionReason[];
