/** SQLSTATE of a server whose disk is full. */
const DISK_FULL = '53100';
let lastSeen = Number.NEGATIVE_INFINITY;

/** Called with the code of every error that the server sends to a session of ours. */
export function noteServerError(code: unknown): void {
  if (code === DISK_FULL) lastSeen = performance.now();
}

/** Whether the server said within so many milliseconds that its disk is full: reads go on meanwhile, and look well. */
export function sawFullDisk(within: number): boolean {
  return performance.now() - lastSeen < within;
}
