// Takes the place of the app's worker (web/public/offline.js) in browsers that had the app at a host before it became a page's
// own: leaves nothing of the app there, nor itself, and has what is open loaded from the server.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
  for (const client of await clients.matchAll({ type: "window" })) await client.navigate(client.url);
}
