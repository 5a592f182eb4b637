const channelName = 'ute.session-ended';

/** Announces to the other tabs that the session of this token is over: to a tab with a storage of its own nothing else does. */
export function announceSessionEnd(token: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(token);
  channel.close();
}

/** Calls back for each session that another tab has ended. */
export function onSessionEnded(listener: (token: string) => void): void {
  new BroadcastChannel(channelName).addEventListener('message', ({ data }) => listener(String(data)));
}
