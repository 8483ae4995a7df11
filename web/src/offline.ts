/**
 * Has a worker of the browser keep the app's own files (public/offline.js), so that it comes up while the server is away.
 * Browsers allow that over HTTPS and on this machine only.
 */
export function keepAppForOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  void start().catch(() => undefined);
}

async function start(): Promise<void> {
  await navigator.serviceWorker.register("/offline.js");
  const { active } = await navigator.serviceWorker.ready;
  // Those that were loaded before the worker was there, and every one that comes later.
  new PerformanceObserver((list) => {
    const paths = list.getEntries().map(({ name }) => new URL(name).pathname);
    active?.postMessage({ keep: paths.filter((path) => path.startsWith("/assets/")) }, []);
  }).observe({ type: "resource", buffered: true });
}
