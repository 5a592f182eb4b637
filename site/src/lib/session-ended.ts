const channelName = 'ute.session-ended';

/** Tells the other tabs that the session of this token is over: one that holds it in its own storage hears of it no other way. */
export function tellSessionEnded(token: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(token);
  channel.close();
}

/** Hears of sessions that another tab has ended. */
export function onSessionEnded(hear: (token: string) => void): void {
  new BroadcastChannel(channelName).addEventListener('message', ({ data }) => hear(String(data)));
}
