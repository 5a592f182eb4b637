/** How long a toast stays, in milliseconds; with Undo it stays longer. */
export const toastDuration = 5_000;
export const toastDurationWithUndo = 10_000;

export const mostToasts = 20;
