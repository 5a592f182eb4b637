/** The switch of a contact detail that customers may see, wherever it stands. */
export const publicSwitchLabel = 'Show on my public page';
