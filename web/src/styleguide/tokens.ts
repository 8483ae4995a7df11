export type Theme = "light" | "dark";

/** Names of the style sheet's custom properties that begin like this, in its order: `--color-ink`. */
export function readTokens(prefix: string): string[] {
  const names = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].flatMap(propertiesOf));
  return [...new Set(names)].filter((name) => name.startsWith(prefix));
}

function propertiesOf(rule: CSSRule): string[] {
  const own = rule instanceof CSSStyleRule ? [...rule.style] : [];
  const inner = "cssRules" in rule ? [...(rule.cssRules as CSSRuleList)].flatMap(propertiesOf) : [];
  return [...own, ...inner];
}

/** What a colour token comes to in a theme, as the browser writes it: `rgb(22, 23, 27)`. */
export function colourIn(theme: Theme, token: string): string {
  const probe = document.createElement("span");
  probe.style.colorScheme = theme;
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The contrast of two colour tokens in a theme, 1…21 (WCAG 2.2, contrast ratio). */
export function contrastOf(theme: Theme, one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other]
    .map((token) => luminance(colourIn(theme, token)))
    .sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of `rgb(…)` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** `#16171b`, with two digits more where the colour is not opaque. */
export function hexOf(colour: string): string {
  const [red = 0, green = 0, blue = 0, alpha] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  const parts = [red, green, blue, ...(alpha === undefined ? [] : [Math.round(alpha * 255)])];
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

export function pixelsOf(length: string): number {
  const probe = document.createElement("span");
  probe.style.cssText = `position: absolute; width: ${length}`;
  document.body.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return width;
}
