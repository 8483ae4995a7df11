// The browser's worker that keeps the app's own files, so that it comes up while the server is away (src/offline.ts).
// It has nothing of what the API says: that is in the last view, which goes with the sign-out (src/api/stored-view.ts).
importScripts("/push.js");

const cacheName = "vedette";
/** The app's page is the same at every address. */
const shell = "/";
const others = ["/theme.js", "/favicon.svg"];
/** Addresses that are no pages of the app (server/src/app/http/web.ts). */
const noPage =
  /^\/(api|api-keys|v2|docs|metrics|openapi\.json|mcp|check-domain|status|agent|\.well-known)(\/|$)/;
/** A server that has not answered by then is slow, and the kept page better than none. */
const patienceMs = 3_000;

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => event.waitUntil(keep(event.data.keep)));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (!noPage.test(pathname)) event.respondWith(answerPage(request));
  } else if (pathname.startsWith("/assets/") || others.includes(pathname)) {
    event.respondWith(answerFile(request, pathname));
  }
});

async function install() {
  const cache = await caches.open(cacheName);
  await cache.addAll([shell, ...others]);
  await skipWaiting();
}

/** Files whose names carry a hash of their content: the browser still has them, so that nothing is loaded twice. */
async function keep(paths) {
  const cache = await caches.open(cacheName);
  for (const path of paths) if (!(await cache.match(path))) await cache.add(path);
}

async function answerPage(request) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(shell);
  const fetched = fetchPage(request, cache, kept);
  if (!kept) return fetched;
  const late = new Promise((resolve) => setTimeout(resolve, patienceMs, kept));
  const answer = await Promise.race([fetched.catch(() => kept), late]);
  // What a proxy says in the place of a server that is away.
  return answer.status >= 500 ? kept : answer;
}

/**
 * Another page is another version: what the old one was made of goes with it. A picture that is opened in a tab of its
 * own is requested like a page and is none, nor is what a proxy says.
 */
async function fetchPage(request, cache, kept) {
  const answer = await fetch(request);
  const isPage = answer.headers.get("content-type")?.startsWith("text/html");
  if (!answer.ok || answer.redirected || !isPage) return answer;
  const text = await answer.clone().text();
  if (!text.includes('id="app"')) return answer;
  if (kept && text !== (await kept.clone().text())) await forgetAssets(cache);
  await cache.put(shell, answer.clone());
  return answer;
}

async function forgetAssets(cache) {
  for (const { url } of await cache.keys())
    if (new URL(url).pathname.startsWith("/assets/")) await cache.delete(url);
}

async function answerFile(request, pathname) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(pathname);
  if (kept && pathname.startsWith("/assets/")) return kept;
  return fetch(request).catch((error) => {
    if (kept) return kept;
    throw error;
  });
}
