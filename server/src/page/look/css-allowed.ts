/** Rules that only say when or where others hold. */
export const CSS_RULES: ReadonlySet<string> = new Set(["container", "keyframes", "media", "supports"]);

/** Functions that count, mix and draw; none of them loads anything. */
export const CSS_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs blur brightness calc circle clamp color color-mix conic-gradient contrast counter counters cubic-bezier drop-shadow
  ellipse fit-content grayscale hsl hsla hue-rotate hwb inset invert lab lch light-dark linear-gradient matrix matrix3d max
  min minmax oklab oklch opacity perspective polygon radial-gradient repeat repeating-conic-gradient
  repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey rotatez round saturate scale
  scale3d scalex scaley scalez sepia skew skewx skewy steps translate translate3d translatex translatey translatez
  var`.split(/\s+/),
);

const PROPERTIES: ReadonlySet<string> = new Set(
  `accent-color all appearance aspect-ratio backdrop-filter box-decoration-break box-shadow box-sizing break-after
  break-before break-inside caret-color clear clip-path color color-scheme column-count column-gap column-rule column-span
  column-width columns contain container container-name container-type content counter-increment counter-reset cursor
  direction display filter float gap hyphens isolation justify-content justify-items justify-self letter-spacing
  line-height opacity order orphans perspective place-content place-items place-self pointer-events position quotes rotate
  row-gap scale stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width tab-size translate
  unicode-bidi vertical-align visibility white-space widows word-break word-spacing writing-mode z-index zoom fill
  fill-opacity bottom left right top height width`.split(/\s+/),
);

/** Properties that belong together. */
const FAMILY =
  /^(?:align|animation|background|border|flex|font|grid|inset|list-style|margin|mask|max|min|object|outline|overflow|overscroll-behavior|padding|scroll-margin|scroll-padding|text|transform|transition)(?:-[a-z-]+)?$/;
const OWN = /^--[a-z0-9_-]+$/i;

/** Whether a page's own style sheet may set this property; names of our own making (`--…`) are always allowed. */
export function isCssProperty(name: string): boolean {
  const plain = name.toLowerCase().replace(/^-webkit-/, "");
  return OWN.test(name) || PROPERTIES.has(plain) || FAMILY.test(plain);
}

/** Where else than in its place something may stand: nothing covers the page wherever its reader scrolls. */
export const CSS_POSITIONS: ReadonlySet<string> = new Set([
  "absolute",
  "inherit",
  "initial",
  "relative",
  "static",
  "unset",
]);
