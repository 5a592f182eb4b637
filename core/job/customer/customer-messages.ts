/** What a tradie sends a customer from the phone's own messages, with the name on its button. */
export const messageLabels = {
  'on-my-way': 'On my way',
  'running-late': 'Running late',
} as const;

export type MessageKind = keyof typeof messageLabels;

export const messageKinds = Object.keys(messageLabels) as MessageKind[];
