/** The consumer details that a question of the enquiry form can fill. */
export const consumerFields = [
  'budget',
  'referral',
  'serviceFrequency',
  'allergies',
  'parking',
  'pets',
  'homeType',
  'storeys',
  'bedrooms',
  'livingRooms',
  'bathrooms',
] as const;
export type ConsumerField = (typeof consumerFields)[number];
