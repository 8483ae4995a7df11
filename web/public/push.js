// What the browser's worker (offline.js) does with messages of the server: it shows them, also while no page is open
// (server/src/alerts/push/). The server has put them in the reader's language.

addEventListener("push", (event) => event.waitUntil(show(event.data?.json() ?? {})));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

/** A later message with the same tag takes the place of the earlier one, and makes a sound all the same. */
function show({ title = "Vedette", body = "", url = "/", tag = "vedette", lang = "en", at = Date.now() }) {
  const icon = "/favicon.svg";
  const data = { url };
  return registration.showNotification(title, { body, tag, lang, icon, data, timestamp: at, renotify: true });
}

/** Leads a page of the app there that is open already, else a new one. */
async function open(url) {
  const address = new URL(url, location.origin);
  if (address.origin !== location.origin) return;
  const [page] = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) return void (await clients.openWindow(address.href));
  await page.focus().catch(() => undefined);
  // A page that this worker does not control cannot be led elsewhere.
  await page.navigate(address.href).catch(() => clients.openWindow(address.href));
}

/** The browser has changed the address at which it takes messages. */
async function subscribeAgain({ newSubscription, oldSubscription }) {
  const subscription =
    newSubscription ??
    (oldSubscription && (await registration.pushManager.subscribe(oldSubscription.options)));
  if (!subscription) return;
  const headers = { "content-type": "application/json" };
  await fetch("/api/auth/push", { method: "POST", headers, body: JSON.stringify(subscription) });
}
