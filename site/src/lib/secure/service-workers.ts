/** What caches pages for dead spots; undefined over plain http. */
export const serviceWorkers = (): ServiceWorkerContainer | undefined => navigator.serviceWorker;
