// Keeps an open status page up to date: asks for it again, and puts what has changed in its place.
const EVERY_MS = 30_000;

async function refresh() {
  // Somebody who reads what a day says, or marks text, is not interrupted.
  const reads = document.querySelector("main button:is(:hover, :focus)") || !getSelection().isCollapsed;
  if (document.hidden || reads) return;
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
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

/** Groups stay as the reader has opened and closed them. */
function keepOpened(now, next) {
  for (const group of next.querySelectorAll("details[id]")) {
    const same = now.querySelector(`#${CSS.escape(group.id)}`);
    if (same) group.open = same.open;
  }
}

/** By what a link or a group is the same after a change. */
const keyOf = (element) => element?.getAttribute("href") ?? element?.closest("details")?.id;

setInterval(refresh, EVERY_MS);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.activeElement?.matches("main button")) document.activeElement.blur();
});
