// Keeps an open status page up to date: fetches it again, and puts what has changed in its place.
const USUAL_SECONDS = 15;
const SPREAD_SECONDS = 3;
/** A phone keeps the focus where it was tapped: a reader is left alone for so long, and no longer. */
const MAX_READING_MS = 60_000;
/** That many in a row, and the page says that it is old. */
const MAX_FAILURES = 3;
let due;
let failures = 0;
let readsSince = null;

async function refresh() {
  clearTimeout(due);
  wait(USUAL_SECONDS);
  if (document.hidden || isRead()) return;
  // What the browser has cached is fetched again, too: else it would be as old as that, and as the server's.
  const wanted = { cache: "no-cache", headers: { accept: "text/html" } };
  const answer = await fetch(location.href, wanted).catch(() => null);
  failures = answer?.ok ? 0 : failures + 1;
  if (failures >= MAX_FAILURES) sayOld();
  if (!answer?.ok) return;
  wait(secondsLeft(answer));
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [now, next] = [document.querySelector("main"), fresh.querySelector("main")];
  if (!now || !next) return;
  now.querySelector(".old[role=alert]")?.remove();
  Object.assign(now.dataset, next.dataset);
  if (now.innerHTML === next.innerHTML) return;
  keepOpened(now, next);
  const focused = keyOf(document.activeElement);
  // The sentence with the overall status is a live region: its text changes within it, so that it is read out.
  const said = now.querySelector("[role=status]");
  const toSay = next.querySelector("[role=status]");
  if (said && toSay) {
    const text = toSay.textContent;
    toSay.replaceWith(said);
    now.replaceChildren(...next.childNodes);
    if (said.textContent !== text) said.textContent = text;
  } else {
    now.replaceChildren(...next.childNodes);
  }
  const again =
    focused && [...now.querySelectorAll("a, summary, button")].find((one) => keyOf(one) === focused);
  if (again) again.focus({ preventScroll: true });
  document.title = fresh.title;
  const icon = fresh.querySelector("link[rel=icon]");
  if (icon) document.querySelector("link[rel=icon]")?.setAttribute("href", icon.getAttribute("href"));
}

/** A visitor who reads what a day says, or marks text, is not interrupted. */
function isRead() {
  const reads = document.querySelector("main button:is(:hover, :focus)") || !getSelection().isCollapsed;
  readsSince = reads ? (readsSince ?? Date.now()) : null;
  if (!reads || Date.now() - readsSince < MAX_READING_MS) return reads;
  readsSince = null;
  return false;
}

/** In the words that the page came with. */
function sayOld() {
  const main = document.querySelector("main");
  if (!main.dataset.old || main.querySelector(".old")) return;
  const note = document.createElement("p");
  note.className = "old warn";
  note.role = "alert";
  note.textContent = main.dataset.old;
  const overall = main.querySelector(".overall");
  if (overall) overall.after(note);
  else main.prepend(note);
}

/** Fetches again after that time, and not everybody at once. */
function wait(seconds) {
  clearTimeout(due);
  due = setTimeout(refresh, (seconds + Math.random() * SPREAD_SECONDS) * 1000);
}

/** Until the server reads the page anew. */
function secondsLeft(answer) {
  const [, seconds] = /max-age=(\d+)/.exec(answer.headers.get("cache-control")) ?? [];
  return Math.min(Math.max(Number(seconds ?? USUAL_SECONDS), 1), USUAL_SECONDS);
}

/** Groups stay as the reader has opened and closed them. */
function keepOpened(now, next) {
  for (const group of next.querySelectorAll("details[id]")) {
    const same = now.querySelector(`#${CSS.escape(group.id)}`);
    if (same) group.open = same.open;
  }
}

/** By what a link, a day of a component or a group is the same after a change. */
function keyOf(element) {
  const day = element?.matches("main button") && element.querySelector("b")?.textContent;
  if (day) return `${element.closest("li")?.querySelector(".row")?.firstChild.textContent} ${day}`;
  return element?.getAttribute("href") ?? element?.closest("details")?.id;
}

wait(USUAL_SECONDS);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.activeElement?.matches("main button")) document.activeElement.blur();
});
