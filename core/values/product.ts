/** The product's name and its mascot's, in one place. */
export const product = { name: 'Ute', mascot: 'Kel' } as const;
