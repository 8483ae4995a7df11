import type { Page } from "playwright-core";

/**
 * Run in the page: numbers what a pointer can operate, in the order of the document, and says which has the focus. Of radio
 * buttons of one name only the chosen one is a stop, as browsers have it.
 */
const script = `(() => {
  const scope = document.querySelector("dialog[open]") ?? document.body;
  const isShown = (it) => it.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && it.getClientRects().length > 0;
  const all = [...scope.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
    .filter((it) => isShown(it) && !it.disabled && it.tabIndex >= 0 && it.type !== "hidden")
    .filter((it) => it.type !== "radio" || it.checked || !scope.querySelector('input[type=radio][name="' + it.name + '"]:checked'));
  const nameOf = (it) => (it.getAttribute("aria-label") ?? it.labels?.[0]?.textContent ?? it.textContent ?? "").trim().replace(/\\s+/g, " ").slice(0, 60) || it.tagName;
  const hasOutline = (style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1.5 && !/rgba\\(.*, 0\\)|transparent/.test(style.outlineColor);
  const marked = (it) => {
    const box = it.getBoundingClientRect();
    const around = [it, it.parentElement, it.nextElementSibling].filter(Boolean);
    const drawn = around.some((one) => [null, "::before", "::after"].some((part) => hasOutline(getComputedStyle(one, part))));
    // The palette has nothing but its box, which has the cursor.
    if (!drawn) return it.matches("dialog [role=combobox]") ? "" : "no outline";
    const seen = around.some((one) => { const b = one.getBoundingClientRect(); return b.width >= 12 && b.height >= 12 && b.bottom > 0 && b.top < innerHeight && b.right > 0 && b.left < innerWidth; });
    if (!seen) return "out of sight";
    const x = Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 1);
    const y = Math.min(Math.max((it.matches("textarea") ? box.top + 20 : box.top + box.height / 2), 1), innerHeight - 1);
    const top = document.elementFromPoint(x, y);
    const own = top && around.some((one) => one.contains(top) || top.contains(one));
    return own ? "" : "covered by " + (top ? top.tagName + " " + nameOf(top) : "nothing");
  };
  const now = document.activeElement;
  const isNowhere = !now || now === document.body || now === document.documentElement;
  return {
    all: all.map(nameOf),
    at: isNowhere ? -1 : all.includes(now) ? all.indexOf(now) : -2,
    name: isNowhere ? "" : nameOf(now),
    fault: isNowhere ? "" : marked(now),
  };
})()`;

interface Look {
  /** What can have the focus, by name. */
  all: string[];
  /** Which of them has it; -1: the page itself, -2: something else. */
  at: number;
  name: string;
  /** Why that cannot be seen; empty where it can. */
  fault: string;
}

const look = (page: Page) => page.evaluate<Look>(script);

/** Boxes of dates have several stops of their own. */
const mostPressesEach = 6;

/**
 * Goes through the page, or the dialog that is open, by Tab alone: what a pointer can operate and the key does not reach,
 * what comes out of its order, whose focus cannot be seen, and where the key stays for ever.
 */
export async function tabFaults(page: Page): Promise<string[]> {
  const isDialog = (await page.locator("dialog[open]").count()) > 0;
  if (!isDialog) await beginAtTop(page);
  const faults: string[] = [];
  const reached: number[] = [];
  const { all } = await look(page);
  for (let presses = 0; presses < all.length * mostPressesEach; presses += 1) {
    await page.keyboard.press("Tab");
    const { at, name, fault } = await look(page);
    if (reached.at(-1) === at) continue;
    if (reached.includes(at) || (at === -1 && !isDialog)) break;
    if (at < 0) continue;
    if (fault !== "") faults.push(`“${name}”: ${fault}`);
    if (!isDialog && at < Math.max(-1, ...reached)) faults.push(`“${name}” comes late`);
    reached.push(at);
  }
  const missed = all.filter((_, at) => !reached.includes(at));
  return [...faults, ...missed.map((name) => `Tab never reaches “${name}”`)];
}

/** As if the page had just come: the next Tab leads to what is first on it. */
export async function beginAtTop(page: Page): Promise<void> {
  await page.evaluate(
    "document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); window.scrollTo(0, 0)",
  );
}

/** Presses Tab until what has that name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const most = (await look(page)).all.length * mostPressesEach;
  for (let presses = 0; presses < most; presses += 1) {
    if ((await look(page)).name === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reaches ${name}`);
}
