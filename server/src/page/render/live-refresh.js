// Keeps an open status page up to date: asks for it again, and puts what has changed in its place.
const USUAL_SECONDS = 15;
const SPREAD_SECONDS = 3;
let due;

async function refresh() {
  clearTimeout(due);
  wait(USUAL_SECONDS);
  // Somebody who reads what a day says, or marks text, is not interrupted.
  const reads = document.querySelector("main button:is(:hover, :focus)") || !getSelection().isCollapsed;
  if (document.hidden || reads) return;
  // What the browser has kept is asked for again, too: else it would be as old as that, and as the server's.
  const wanted = { cache: "no-cache", headers: { accept: "text/html" } };
  const answer = await fetch(location.href, wanted).catch(() => null);
  if (!answer?.ok) return;
  wait(secondsLeft(answer));
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [now, next] = [document.querySelector("main"), fresh.querySelector("main")];
  if (!now || !next || now.innerHTML === next.innerHTML) return;
  keepOpened(now, next);
  const focused = keyOf(document.activeElement);
  // The sentence that says how things stand is a live region: its text changes within it, so that it is read out.
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
  const again = focused && [...now.querySelectorAll("a, summary")].find((one) => keyOf(one) === focused);
  if (again) again.focus({ preventScroll: true });
  document.title = fresh.title;
  const icon = fresh.querySelector("link[rel=icon]");
  if (icon) document.querySelector("link[rel=icon]")?.setAttribute("href", icon.getAttribute("href"));
}

/** Asks again after that time, and not everybody at once. */
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

/** By what a link or a group is the same after a change. */
const keyOf = (element) => element?.getAttribute("href") ?? element?.closest("details")?.id;

wait(USUAL_SECONDS);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.activeElement?.matches("main button")) document.activeElement.blur();
});
